import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestServer } from '../../e2e/support/server.ts'

const OWN = '/engines-own'

/**
 * The browser's way to the server. It puts a script at the head of each page, since classic WebDriver can run nothing before
 * a page's own code, and keeps what went wrong in the pages. Everything else passes unchanged; while the server is off,
 * connections break off.
 */
export class Front {
  /** What pages wrote as errors, left uncaught, could not load or were forbidden by their policy. */
  readonly complaints: string[] = []
  /** Method and path of all that was asked. */
  readonly asked: string[] = []
  private readonly scripts: string[] = [`(${complain})(${JSON.stringify(OWN)})`]
  private readonly target: TestServer
  private readonly server: Server

  private constructor(target: TestServer) {
    this.target = target
    this.server = createServer((asked, answer) => this.answer(asked, answer))
  }

  static async open(target: TestServer): Promise<Front> {
    const front = new Front(target)
    await new Promise<void>((resolve) => front.server.listen(0, '127.0.0.1', resolve))
    return front
  }

  get url(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`
  }

  /** Runs a function in each page before the page's own code. It must be whole in itself, as its text is sent. */
  addInitScript<Given>(run: (given: Given) => void, given: Given): void {
    this.scripts.push(`(${run})(${JSON.stringify(given) ?? ''})`)
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private answer(asked: IncomingMessage, answer: ServerResponse): void {
    if (asked.url === OWN) {
      this.answerOwn(asked, answer)
      return
    }
    this.asked.push(`${asked.method} ${asked.url}`)
    const url = new URL(asked.url ?? '/', this.target.url)
    const isPage = !/\.(?!html$)\w+$|^\/api\//.test(url.pathname)
    const headers = { ...asked.headers, ...(isPage ? { 'accept-encoding': 'identity' } : {}) }
    const passed = request(url, { method: asked.method ?? 'GET', headers }, (from) => {
      const isHtml = isPage && /text\/html/.test(from.headers['content-type'] ?? '')
      if (isHtml && asked.method === 'GET' && from.statusCode !== 304) return void addScript(from, answer)
      answer.writeHead(from.statusCode ?? 502, from.headers)
      from.pipe(answer)
      from.on('error', () => answer.destroy())
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  }

  private answerOwn(asked: IncomingMessage, answer: ServerResponse): void {
    if (asked.method === 'GET') {
      answer.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' })
      answer.end(this.scripts.join('\n;'))
      return
    }
    let text = ''
    asked.on('data', (piece) => {
      text += piece
    })
    asked.on('end', () => {
      this.complaints.push(text)
      answer.writeHead(204).end()
    })
  }
}

async function addScript(from: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { 'content-length': _, ...headers } = from.headers
  const pieces: Buffer[] = []
  for await (const piece of from) pieces.push(piece)
  answer.writeHead(from.statusCode ?? 502, headers)
  answer.end(Buffer.concat(pieces).toString().replace('<head>', `<head><script src="${OWN}"></script>`))
}

/** Runs in each page first: tells the front what goes wrong there. */
function complain(own: string): void {
  const reportProblem = (...said: unknown[]) =>
    navigator.sendBeacon(
      own,
      said.map((one) => (one instanceof Error ? `${one}\n${one.stack}` : String(one))).join(' '),
    )
  const { error } = console
  console.error = (...said) => {
    reportProblem('console.error:', ...said)
    error(...said)
  }
  addEventListener('unhandledrejection', ({ reason }) => reportProblem('uncaught:', reason))
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    reportProblem('forbidden:', effectiveDirective, blockedURI),
  )
  const failed = (event: ErrorEvent | Event) => {
    if ('error' in event) reportProblem('uncaught:', event.error ?? event.message)
    // Firefox gives up preloads when it leaves a page.
    else if (event.target instanceof Element && !event.target.matches('[rel=modulepreload]'))
      reportProblem('not loaded:', event.target.outerHTML.slice(0, 200))
  }
  addEventListener('error', failed, true)
}
