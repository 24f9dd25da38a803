/** What lies between a tab's pages and the server, with the interface of Playwright's routes. */
export class Network {
  /** Addresses that the pages asked for, in their order, those of modules too. */
  readonly asked: string[] = []
  isOffline = false
  private routes: { where: string | RegExp; handler: Handler }[] = []

  route(where: string | RegExp, handler: Handler): void {
    this.routes.unshift({ where, handler })
  }

  unroute(where: string | RegExp, handler?: Handler): void {
    this.routes = this.routes.filter(
      (route) => String(route.where) !== String(where) || (handler !== undefined && route.handler !== handler),
    )
  }

  unrouteAll(): void {
    this.routes = []
  }

  /** Whether a route intercepts this address. */
  isRouted = (url: string): boolean => this.routes.some(({ where }) => patternOf(where).test(url))

  /** Rejects where there is no network, and where a route aborts. */
  async ask(request: Request): Promise<Response> {
    this.asked.push(request.url)
    if (this.isOffline) throw new Error('No network')
    const route = this.routes.find(({ where }) => patternOf(where).test(request.url))
    return route === undefined ? fetch(request) : through(request, route.handler)
  }
}

export type Handler = (route: Route) => unknown

export interface Fulfilment {
  status?: number
  contentType?: string
  headers?: Readonly<Record<string, string>>
  body?: string
  json?: unknown
  /** An answer that the server gave, whole or with another status or body. */
  response?: Answer
}

/** An answer that was read to its end. */
export class Answer {
  private readonly head: Response
  private readonly bytes: Buffer

  constructor(head: Response, bytes: Buffer) {
    this.head = head
    this.bytes = bytes
  }

  status = () => this.head.status
  headers = () => Object.fromEntries(this.head.headers)
  text = async () => this.bytes.toString()
  json = async (): Promise<unknown> => JSON.parse(this.bytes.toString())
}

/** One request that met a route: the handler lets it go on, answers it or aborts it. */
export interface Route {
  request(): {
    url(): string
    method(): string
    headers(): Record<string, string>
    postDataJSON(): unknown
  }
  /** To another address, if one is given. */
  continue(to?: { url: string }): Promise<void>
  fetch(): Promise<Answer>
  fulfill(how: Fulfilment): Promise<void>
  abort(reason?: string): Promise<void>
}

async function through(request: Request, handler: Handler): Promise<Response> {
  const sent = request.body === null ? '' : await request.clone().text()
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true })
  const route: Route = {
    request: () => ({
      url: () => request.url,
      method: () => request.method,
      headers: () => Object.fromEntries(request.headers),
      postDataJSON: () => JSON.parse(sent) as unknown,
    }),
    continue: async (to) => fetch(to === undefined ? request : new Request(to.url, request)).then(resolve, reject),
    fetch: async () => {
      const answer = await fetch(request.clone())
      return new Answer(answer, Buffer.from(await answer.arrayBuffer()))
    },
    fulfill: async (how) => resolve(await buildResponse(how)),
    abort: async () => reject(new Error('Aborted by the test')),
  }
  Promise.resolve(handler(route)).catch(reject)
  return promise
}

async function buildResponse({ status, contentType, headers, body, json, response }: Fulfilment): Promise<Response> {
  const { 'content-length': _length, 'content-encoding': _encoding, ...kept } = response?.headers() ?? {}
  const type = contentType ?? (json === undefined ? undefined : 'application/json')
  return new Response(json === undefined ? (body ?? (await response?.text()) ?? null) : JSON.stringify(json), {
    status: status ?? response?.status() ?? 200,
    headers: { ...kept, ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
  })
}

/** Playwright's globs: `**` spans folders, possibly none before its slash; `*` does not. */
function patternOf(where: string | RegExp): RegExp {
  if (where instanceof RegExp) return where
  const source = where
    .split(/(\*\*\/|\*\*|\*)/)
    .map((piece) => WILD[piece] ?? piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('')
  return new RegExp(`^${source}$`)
}
const WILD: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' }
