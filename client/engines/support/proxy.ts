import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../scripts/lib/children.ts'
import { findProxy } from '../../../scripts/lib/engines.ts'
import { ROOT } from '../../../scripts/setup.mjs'

const NAME = 'garba.localhost'
/** The examples in shared/docs/operations/proxies. */
const EXAMPLES = { nginx: 'nginx.conf', apache: 'apache.conf', haproxy: 'haproxy.cfg' } as const
export type OtherProxy = keyof typeof EXAMPLES
export const PROXY_NAMES = Object.keys(EXAMPLES) as OtherProxy[]
const START_MS = 30_000

interface Files {
  folder: string
  /** The example with this test's name, ports and certificate. */
  part: string
}

const APACHE_MODULES = [
  ...['mpm_event', 'authz_core', 'alias', 'headers', 'ssl', 'http2', 'proxy', 'proxy_http'],
  'socache_shmcb',
  'reqtimeout',
]

/** What Debian's own configuration adds, with everything in one folder and in the foreground. */
const AROUND: Readonly<Record<OtherProxy, (files: Files) => { text: string; args: (file: string) => string[] }>> = {
  nginx: ({ folder, part }) => ({
    text: `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  access_log off; sendfile on; tcp_nopush on; include /etc/nginx/mime.types;
  include ${part};
}
`,
    args: (file) => ['-c', file],
  }),
  apache: ({ folder, part }) => ({
    text: `ServerRoot ${folder}
ServerName ${NAME}
PidFile ${folder}/pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/error.log
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data\n' : ''}${APACHE_MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
Timeout 300
KeepAliveTimeout 5
${[...readFileSync(part, 'utf8').matchAll(/VirtualHost \*:(\d+)/g)].map(([, port]) => `Listen ${port}`).join('\n')}
Include ${part}
`,
    args: (file) => ['-X', '-f', file],
  }),
  haproxy: ({ part }) => ({
    text: `global
  maxconn 200
defaults
  timeout connect 5s
  timeout client 50s
  timeout server 50s
${readFileSync(part, 'utf8')}`,
    args: (file) => ['-f', file],
  }),
}

/** A real proxy from Debian's packages, in front of a server, with the example that the operator's guide has. */
export class DebianProxy {
  readonly port: number
  private readonly child: ChildProcess
  private readonly folder: string

  private constructor({ port, child, folder }: { port: number; child: ChildProcess; folder: string }) {
    this.port = port
    this.child = child
    this.folder = folder
  }

  static async start(name: OtherProxy, serverPort: number): Promise<DebianProxy> {
    const folder = mkdtempSync(join(tmpdir(), `garba-${name}-`))
    // The program drops the rights of root.
    execFileSync('chmod', ['755', folder])
    mkdirSync(join(folder, 'logs'))
    const [chain, key] = [join(folder, 'chain.pem'), join(folder, 'key.pem')]
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${NAME}`]
    execFileSync('openssl', [...made, '-keyout', key, '-out', chain], { stdio: 'ignore' })
    if (name === 'haproxy') writeFileSync(chain, `${readFileSync(chain, 'utf8')}${readFileSync(key, 'utf8')}`)
    const [https, http] = [await freePort(), await freePort()]
    const part = join(folder, 'part.conf')
    const example = readFileSync(join(ROOT, 'shared', 'docs', 'operations', 'proxies', EXAMPLES[name]), 'utf8')
    const here = example
      .replace(/\/etc\/\S+\/(?:fullchain|tickets\.example\.org)\.pem/, chain)
      .replace(/\/etc\/\S+\/privkey\.pem/, key)
      .replaceAll('tickets.example.org', NAME)
      .replaceAll(':8080', `:${serverPort}`)
      .replace(/(listen |:)443\b/g, `$1${https}`)
      .replace(/(listen |:)80\b/g, `$1${http}`)
    writeFileSync(part, here)
    const { text, args } = AROUND[name]({ folder, part })
    const file = join(folder, 'main.conf')
    writeFileSync(file, text)
    const child = spawn(findProxy(name) ?? name, args(file), { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr?.on('data', (piece: Buffer) => (said += piece))
    const proxy = new DebianProxy({ port: https, child, folder })
    const until = performance.now() + START_MS
    while ((await proxy.ask({ path: '/healthz' }).catch(() => null))?.status !== 200) {
      if (child.exitCode !== null || performance.now() > until) throw new Error(`${name} did not start: ${said}`)
      await sleep(100)
    }
    return proxy
  }

  /** Sends a request; the body of the answer is read as it comes. */
  open({ path, method = 'GET', headers = {}, body, from }: ProxyRequest): Promise<import('node:http').IncomingMessage> {
    return new Promise((resolve, reject) => {
      const asked = request({
        ...{ host: '127.0.0.1', port: this.port, servername: NAME, rejectUnauthorized: false, agent: false },
        ...{ path, method, headers: { host: NAME, ...headers }, ...(from === undefined ? {} : { localAddress: from }) },
      })
      asked.on('response', resolve)
      asked.on('error', reject)
      asked.end(body)
    })
  }

  async ask(asked: ProxyRequest): Promise<{ status: number; text: string }> {
    const answer = await this.open(asked)
    let text = ''
    for await (const piece of answer) text += piece
    return { status: answer.statusCode ?? 0, text }
  }

  async dispose(): Promise<void> {
    if (this.child.exitCode === null) {
      const ended = new Promise((resolve) => this.child.once('exit', resolve))
      this.child.kill('SIGTERM')
      await ended
    }
    rmSync(this.folder, { recursive: true, force: true })
  }
}

interface ProxyRequest {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** The address of this machine from which it is sent. */
  from?: string
}
