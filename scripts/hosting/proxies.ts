export const PROXY_NAMES = ['caddy', 'nginx', 'apache', 'haproxy'] as const
export type ProxyName = (typeof PROXY_NAMES)[number]
/** `npm run host` sets up Caddy completely; for these it writes only the part about this server. */
export type OtherProxy = Exclude<ProxyName, 'caddy'>

interface ProxySite {
  domain: string
  port: number
  https?: number
  http?: number
  /** The files of the certificate; HAProxy has a single file. */
  chain?: string
  key?: string
}

interface ProxyPart {
  file: string
  steps: (site: ProxySite) => string[]
  write: (site: ProxySite) => string
}

const getCertificatePaths = ({
  domain,
  chain = `/etc/letsencrypt/live/${domain}/fullchain.pem`,
  key = `/etc/letsencrypt/live/${domain}/privkey.pem`,
}: ProxySite) => ({ chain, key })

const nginx = (site: ProxySite): string => {
  const { domain, port, https = 443, http = 80 } = site
  const { chain, key } = getCertificatePaths(site)
  return `# Made by npm run host.
server {
  listen ${http};
  server_name ${domain};
  return 301 https://$host$request_uri;
}

server {
  listen ${https} ssl http2;
  server_name ${domain};
  ssl_certificate ${chain};
  ssl_certificate_key ${key};
  server_tokens off;
  # An event with its picture; nginx's own limit is 1 MB.
  client_max_body_size 8m;
  gzip on;
  gzip_proxied any;
  gzip_types text/css text/javascript application/json application/manifest+json image/svg+xml;

  location = /metrics {
    return 404;
  }
  location / {
    proxy_pass http://127.0.0.1:${port};
    # Without these nginx speaks HTTP/1.0 and hides the name and the caller. $remote_addr replaces what the caller claims.
    proxy_http_version 1.1;
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header Connection "";
    proxy_connect_timeout 5s;
  }
  location ~ ^/api/(scanner|admin/gate)/live$ {
    proxy_pass http://127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header Connection "";
    # Live views are passed on at once; the server sends something every 15 s.
    proxy_buffering off;
    proxy_read_timeout 60s;
  }
}
`
}

const apache = (site: ProxySite): string => {
  const { domain, port, https = 443, http = 80 } = site
  const { chain, key } = getCertificatePaths(site)
  return `# Made by npm run host.
<VirtualHost *:${http}>
  ServerName ${domain}
  Redirect permanent / https://${domain}/
</VirtualHost>

<VirtualHost *:${https}>
  ServerName ${domain}
  SSLEngine on
  SSLCertificateFile ${chain}
  SSLCertificateKeyFile ${key}
  Protocols h2 http/1.1
  # Apache does not apply LimitRequestBody to what it passes on. The server itself says what is too large.
  ProxyPreserveHost On
  # Apache adds the caller's address behind what the caller claims.
  RequestHeader unset X-Forwarded-For
  RequestHeader set X-Forwarded-Proto https
  <Location "/metrics">
    Require all denied
  </Location>
  # flushpackets passes live views on at once. Without retry=0 a restart of a second closes the site for a minute.
  ProxyPass "/" "http://127.0.0.1:${port}/" flushpackets=on retry=0 connectiontimeout=5 timeout=60
</VirtualHost>
`
}

const haproxy = (site: ProxySite): string => {
  const { domain, port, https = 443, http = 80, chain = `/etc/haproxy/${domain}.pem` } = site
  return `# Made by npm run host.
frontend garba
  mode http
  bind :${http}
  bind :${https} ssl crt ${chain} alpn h2,http/1.1
  timeout client 60s
  http-request redirect scheme https code 301 unless { ssl_fc }
  http-request deny deny_status 404 if { path /metrics }
  # What the caller claims is replaced by the caller's address.
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Proto https
  default_backend garba

backend garba
  mode http
  # Live views are passed on at once; the server sends something every 15 s.
  option http-no-delay
  timeout connect 5s
  timeout server 60s
  # A request that finds no server waits for it, a second for each try.
  retries 10
  server garba 127.0.0.1:${port}
`
}

const letsEncrypt = (domain: string): string => `apt-get install certbot && certbot certonly --standalone -d ${domain}`

export const PROXIES: Readonly<Record<OtherProxy, ProxyPart>> = {
  nginx: {
    file: 'garba.nginx.conf',
    write: nginx,
    steps: ({ domain }) => [
      letsEncrypt(domain),
      'cp garba.nginx.conf /etc/nginx/conf.d/garba.conf && nginx -t && systemctl reload nginx',
    ],
  },
  apache: {
    file: 'garba.apache.conf',
    write: apache,
    steps: ({ domain }) => [
      letsEncrypt(domain),
      'a2enmod ssl http2 headers proxy proxy_http && cp garba.apache.conf /etc/apache2/sites-available/garba.conf',
      'a2ensite garba && apachectl configtest && systemctl restart apache2',
    ],
  },
  haproxy: {
    file: 'garba.haproxy.cfg',
    write: haproxy,
    steps: ({ domain }) => [
      letsEncrypt(domain),
      `cat /etc/letsencrypt/live/${domain}/fullchain.pem /etc/letsencrypt/live/${domain}/privkey.pem > /etc/haproxy/${domain}.pem`,
      'cat garba.haproxy.cfg >> /etc/haproxy/haproxy.cfg && haproxy -c -f /etc/haproxy/haproxy.cfg && systemctl reload haproxy',
    ],
  },
}
