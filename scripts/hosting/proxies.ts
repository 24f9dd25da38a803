import { fillTemplate } from './template.ts'

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
}

const letsEncrypt = (domain: string): string => `apt-get install certbot && certbot certonly --standalone -d ${domain}`

export const PROXIES: Readonly<Record<OtherProxy, ProxyPart>> = {
  nginx: {
    file: 'garba.nginx.conf',
    steps: ({ domain }) => [
      letsEncrypt(domain),
      'cp garba.nginx.conf /etc/nginx/conf.d/garba.conf && nginx -t && systemctl reload nginx',
    ],
  },
  apache: {
    file: 'garba.apache.conf',
    steps: ({ domain }) => [
      letsEncrypt(domain),
      'a2enmod ssl http2 headers proxy proxy_http && cp garba.apache.conf /etc/apache2/sites-available/garba.conf',
      'a2ensite garba && apachectl configtest && systemctl restart apache2',
    ],
  },
  haproxy: {
    file: 'garba.haproxy.cfg',
    steps: ({ domain }) => [
      letsEncrypt(domain),
      `cat /etc/letsencrypt/live/${domain}/fullchain.pem /etc/letsencrypt/live/${domain}/privkey.pem > /etc/haproxy/${domain}.pem`,
      'cat garba.haproxy.cfg >> /etc/haproxy/haproxy.cfg && haproxy -c -f /etc/haproxy/haproxy.cfg && systemctl reload haproxy',
    ],
  },
}

export function buildProxyPart(proxy: OtherProxy, site: ProxySite): string {
  const folder = `/etc/letsencrypt/live/${site.domain}`
  const chain = proxy === 'haproxy' ? `/etc/haproxy/${site.domain}.pem` : `${folder}/fullchain.pem`
  return fillTemplate(PROXIES[proxy].file, { https: 443, http: 80, chain, key: `${folder}/privkey.pem`, ...site })
}
