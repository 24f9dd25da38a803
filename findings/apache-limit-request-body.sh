#!/bin/sh
# Version: Apache httpd 2.4.71 of Debian 12 (apache2-bin)
# What: LimitRequestBody, set for the whole server, does nothing for requests that mod_proxy_http passes on: a body whose
#   Content-Length is above the limit reaches the server behind, which answers 200. Only that server can say 413.
set -eu
work=$(mktemp -d)
trap 'kill $(cat "$work/pid" "$work/upstream" 2>/dev/null) 2>/dev/null; rm -rf "$work"' EXIT
chmod 755 "$work"
cd "$work"
apt-get -q download apache2-bin libapr1 libaprutil1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
modules="$work/root/usr/lib/apache2/modules"
export LD_LIBRARY_PATH="$work/root/usr/lib/x86_64-linux-gnu"

# A server that reads the whole body and answers 200.
cat > upstream.py <<'PY'
import http.server, os
class Upstream(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers['content-length']))
        self.send_response(200); self.send_header('content-length', '0'); self.end_headers()
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', 18471), Upstream)
open('upstream', 'w').write(str(os.getpid()))
server.serve_forever()
PY
python3 upstream.py &

cat > apache.conf <<CONF
ServerRoot $work
ServerName localhost
PidFile $work/pid
DefaultRuntimeDir $work
ErrorLog $work/error.log
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule proxy_module $modules/mod_proxy.so
LoadModule proxy_http_module $modules/mod_proxy_http.so
Listen 127.0.0.1:18470
User nobody
Group nogroup
LimitRequestBody 1000000
ProxyPass / http://127.0.0.1:18471/
CONF
"$work/root/usr/sbin/apache2" -v | head -1
"$work/root/usr/sbin/apache2" -X -f "$work/apache.conf" &
sleep 2

status() { head -c "$1" /dev/zero | curl -s -o answer -w '%{http_code}' -H 'Expect:' --data-binary @- http://127.0.0.1:18470/; }
over=$(status 1200000)
echo "1.2 MB with LimitRequestBody 1000000: $over"
[ "$over" = 200 ]
