#!/bin/sh
# Made by npm run host. Sets up the server of https://{{domain}}, or updates it to the version in this folder. It can be run again.
set -eu
cd "$(dirname "$0")"
fail() { echo "$1" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail 'Run this as root: sudo sh install.sh'
[ ! -e Caddyfile ] || command -v caddy >/dev/null || { apt-get update -q && apt-get install -q -y caddy; } || fail 'Caddy could not be installed.'

if [ -e garba.tar.gz ]; then
  echo 'Unpacking the bundle ...'
  version=$(tar -tzf garba.tar.gz | sed -n '1s,/.*,,p')
  tar -xzf garba.tar.gz -C /opt
  (cd "/opt/$version" && sha256sum --quiet --check SHA256SUMS) || fail 'The bundle is damaged: copy it again.'
  postgres=; if command -v garba >/dev/null && grep -qs '^DATABASE_URL=[^[:space:]]' /etc/garba/garba.env; then postgres=1; fi
  if [ "$(readlink /opt/garba)" != "$version" ] && { [ -e /var/lib/garba/garba.db ] || [ "$postgres" ]; }; then
    echo 'Saving the database before the new version ...'
    # If no version was fully installed, this one saves the file.
    if command -v garba >/dev/null; then keep=garba
    else
      install -d -m 700 /var/backups/garba
      export GARBA_ENV=/etc/garba/garba.env; [ -e "$GARBA_ENV" ] || GARBA_ENV=$PWD/garba.env
      keep=/opt/$version/garba
    fi
    $keep backup "/var/backups/garba/before-$version-$(date +%Y-%m-%d-%H%M%S).db" || fail 'The version was not changed.'
    unset GARBA_ENV
  fi
  ln -sfn "$version" /opt/garba
fi
[ -x /opt/garba/garba ] || fail 'There is no garba.tar.gz in this folder: make it with npm run bundle -- garba.tar.gz'

settings=/etc/garba/garba.env
[ -e "$settings" ] || settings=$PWD/garba.env
GARBA_ENV=$settings /opt/garba/garba doctor --settings || fail "Correct this in $settings, then run install.sh again."

id garba >/dev/null 2>&1 || useradd --system --home-dir /var/lib/garba --shell /usr/sbin/nologin garba
install -d -m 700 -o garba -g garba /var/backups/garba
install -d -m 750 -g garba /etc/garba
if [ "$settings" = "$PWD/garba.env" ]; then
  install -m 640 -g garba garba.env /etc/garba/garba.env
  rm garba.env
fi
cat > /usr/local/bin/garba <<'END'
#!/bin/sh
# Made by npm run host: a command run as root runs as the server's own user.
exec runuser -u garba -- /opt/garba/garba "$@"
END
chmod 755 /usr/local/bin/garba

install -m 644 garba.service garba-backup.service garba-backup.timer /etc/systemd/system/
systemctl daemon-reload
systemctl enable -q garba.service garba-backup.timer
if [ -e Caddyfile ]; then
  cmp -s Caddyfile /etc/caddy/Caddyfile || install -v -m 644 --backup=numbered Caddyfile /etc/caddy/Caddyfile
  systemctl enable -q caddy.service
  systemctl start caddy.service
  systemctl reload caddy.service
fi
{{#venue}}

grep -qw '{{domain}}' /etc/hosts || echo '127.0.0.1 {{domain}}' >> /etc/hosts
for second in $(seq 20); do [ -e /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt ] && break; sleep 1; done
install -D -m 644 /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt /etc/caddy/garba/root.crt
export NODE_EXTRA_CA_CERTS=/etc/caddy/garba/root.crt
{{/venue}}

# Waits until an address answers, for at most the given seconds.
answers() {
  /opt/garba/node -e 'const [url, seconds] = process.argv.slice(1)
    const ask = (left) => fetch(url).then(() => 0, () => left > 0 ? new Promise((resolve) => setTimeout(resolve, 1000)).then(() => ask(left - 1)) : 1)
    ask(Number(seconds)).then((code) => process.exit(code))' "$1" "$2"
}
echo 'Starting the server ...'
systemctl restart garba.service
systemctl start garba-backup.timer
answers http://127.0.0.1:{{port}}/healthz 20 || { journalctl -u garba.service -n 5 -o cat --no-pager >&2; fail 'The server does not start.'; }
echo 'Making a backup and testing it ...'
systemctl start garba-backup.service || { journalctl -u garba-backup.service -n 5 -o cat --no-pager >&2; fail 'The backup failed.'; }
echo 'Waiting for the certificate, for at most a minute ...'
answers https://{{domain}}/healthz 60 || true
garba doctor || fail "Do what it says below each FAILURE, then run: garba doctor"
echo 'Next: {{nextInVenue}}open https://{{domain}}, sign in with an address of ADMIN_EMAILS, and create the event.'
{{#venue}}
echo 'In the venue, pair each scanner: garba pair "NAME"'
{{/venue}}
