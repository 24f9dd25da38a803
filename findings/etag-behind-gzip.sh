#!/usr/bin/env bash
# Version: nginx 1.22.1, HAProxy 2.6.12, Apache httpd 2.4.71 and Caddy 2.6.2 of Debian 12
# What: A server guards a form against two writers with ETag: "abc" and If-Match, and a proxy that compresses stands before it.
#   One would expect the client's If-Match to be the tag that the server gave. nginx and HAProxy make it W/"abc" and Apache
#   "abc-gzip", and none changes it back in the request: a server that compares strictly answers 412 to every save, though nobody
#   else wrote, and 200 in place of 304 to every If-None-Match. Only Caddy passes the tag on in both directions. Without
#   Accept-Encoding, as in most tests, all four work.
# Source: nginx, src/http/ngx_http_core_module.c (ngx_http_weak_etag); Apache, DeflateAlterETag of mod_deflate
set -euo pipefail
for program in nginx haproxy apache2 caddy; do
  if ! PATH="$PATH:/usr/sbin" command -v "$program" >/dev/null; then
    echo "This needs $program (apt-get install nginx-light haproxy apache2-bin caddy)."
    exit 2
  fi
done
export PATH="$PATH:/usr/sbin"
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT
chmod 755 "$work"
cd "$work"
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
createServer((request, response) => {
  const { 'if-match': match, 'if-none-match': known } = request.headers
  response.writeHead(known === '"abc"' ? 304 : match && match !== '"abc"' ? 412 : 200, { ETag: '"abc"', 'Content-Type': 'text/plain' })
  response.end(known === '"abc"' ? undefined : 'a'.repeat(9000))
}).listen(18480, '127.0.0.1')
JS
cat > nginx.conf <<CONF
daemon off; pid $work/nginx.pid; error_log $work/nginx.log; events {}
http {
  access_log off; client_body_temp_path $work/a; proxy_temp_path $work/b; fastcgi_temp_path $work/c; uwsgi_temp_path $work/d; scgi_temp_path $work/e;
  server { listen 127.0.0.1:18481; gzip on; gzip_types text/plain; gzip_proxied any; location / { proxy_pass http://127.0.0.1:18480; } }
}
CONF
cat > haproxy.cfg <<'CONF'
defaults
  mode http
  timeout connect 5s
  timeout client 20s
  timeout server 20s
listen proxy
  bind 127.0.0.1:18482
  filter compression
  compression algo gzip
  compression type text/plain
  server behind 127.0.0.1:18480
CONF
modules=/usr/lib/apache2/modules
cat > apache.conf <<CONF
ServerRoot $work
ServerName localhost
PidFile $work/apache.pid
DefaultRuntimeDir $work
ErrorLog $work/apache.log
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule proxy_module $modules/mod_proxy.so
LoadModule proxy_http_module $modules/mod_proxy_http.so
LoadModule filter_module $modules/mod_filter.so
LoadModule deflate_module $modules/mod_deflate.so
Listen 127.0.0.1:18483
User nobody
Group nogroup
AddOutputFilterByType DEFLATE text/plain
ProxyPass / http://127.0.0.1:18480/
CONF
cat > Caddyfile <<'CONF'
{
  admin off
  auto_https off
}
http://127.0.0.1:18484 {
  encode gzip
  reverse_proxy 127.0.0.1:18480
}
CONF
nginx -v 2>&1
haproxy -v | head -1
apache2 -v | head -1
caddy version || true
node server.mjs &
nginx -p "$work" -c "$work/nginx.conf" 2>/dev/null &
haproxy -q -f haproxy.cfg &
apache2 -X -f "$work/apache.conf" &
HOME=$work caddy run --config Caddyfile --adapter caddyfile 2>/dev/null &
sleep 3

answer() { curl -s -m 10 -o /dev/null -w '%{http_code}' "$@"; }
look() {
  local url="http://127.0.0.1:$2/" zip='Accept-Encoding: gzip' tag seen
  tag=$(curl -s -m 10 -o /dev/null -D - -H "$zip" "$url" | tr -d '\r' | sed -n 's/^[Ee][Tt]ag: //p')
  seen="$tag, If-Match $(answer -H "$zip" -H "If-Match: $tag" "$url"), If-None-Match $(answer -H "$zip" -H "If-None-Match: $tag" "$url")"
  seen="$seen; uncompressed $(curl -s -m 10 -o /dev/null -D - "$url" | tr -d '\r' | sed -n 's/^[Ee][Tt]ag: //p')"
  echo "$1: $seen"
  [ "$seen" = "$3; uncompressed \"abc\"" ] || { echo "$1 treats the tag otherwise than it did."; exit 1; }
}
look nginx 18481 'W/"abc", If-Match 412, If-None-Match 200'
look HAProxy 18482 'W/"abc", If-Match 412, If-None-Match 200'
look Apache 18483 '"abc-gzip", If-Match 412, If-None-Match 200'
look Caddy 18484 '"abc", If-Match 200, If-None-Match 304'
