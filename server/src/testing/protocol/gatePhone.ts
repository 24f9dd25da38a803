import { registerHooks } from 'node:module'

/** What the checker saw. `died`: the page went away before it could show or write anything. */
export interface Verdict {
  scanId: string
  look: 'allowed' | 'pending' | 'refused' | 'died'
  title?: string
}

export type Scanned =
  | { type: 'code'; text: string }
  | { type: 'hand'; ticketId: string }
  | { type: 'member'; text: string; ticketId: string }

export interface Sold {
  tickets: { id: string; qrCode: string | null }[]
  /** The scan of each ticket, if the buyers went in at once. */
  scanIds?: string[]
}

export interface PhoneState {
  unsent: number
  parked: number
  /** Tickets of the double admissions that its checker has been told of. */
  conflicts: string[]
  ended: string | null
  /** Whether its list is the server's. */
  same: boolean
  /** The number of people who went in, as its status bar shows it. */
  people: number | null
  why: { scanId: string; code: string | null }[]
}

/** The scanner as the model drives it (client/src/scanner/testing/gatePhone.ts). */
export interface GatePhone {
  /** Its IndexedDB. */
  disk: unknown
  prepare: (publicUrl: string) => void
  pair: (code: string) => Promise<void>
  /** Back to what it had after pairing. */
  reset: () => Promise<void>
  scan: (subject: Scanned, how: { dies: boolean }) => Promise<Verdict | null>
  /** Lets somebody out. */
  leave: (subject: Scanned) => Promise<Verdict | null>
  /** Counts people without a code; null if the phone could not keep it. */
  count: (change: number) => Promise<string | null>
  /** Lets in the holder of a used ticket, as a supervisor does. */
  swap: (ticketId: string) => Promise<Verdict | null>
  /** Fetches codes that it may sell without a network. */
  takeCodes: () => Promise<void>
  /** Sells two of them, whether or not the server answers. Null if it has too few. */
  sell: (how: { admit: boolean }) => Promise<Sold | null>
  returnCodes: () => Promise<void>
  /** Takes back the newest own admission, if the screen would offer it. */
  undo: () => Promise<{ scanId: string; ok: boolean } | null>
  /** Its live stream opens or ends. While it is open the phone takes its list for current, even if no change arrives. */
  stream: (isOpen: boolean) => void
  /** The list alone. */
  list: () => Promise<void>
  /** The browser gives up the list, and nothing else. */
  loseList: () => Promise<void>
  /** Asks the server something else, which may be the first to tell of a restore. */
  refreshDevice: () => Promise<void>
  /** The list and the outbox. */
  sync: () => Promise<void>
  /** The page is opened again, with what is on the disk. */
  restart: () => Promise<void>
  cut: (isCut: boolean) => void
  settled: () => Promise<void>
  /** Why it may no longer scan, as far as it knows; null while it may. */
  end: () => string | null
  /** Whether a checker could choose the ticket by hand. */
  lists: (ticketId: string) => boolean
  state: () => Promise<PhoneState>
}

/**
 * What the network does to a phone's calls. `late`: the answer to a scan that people wait for comes after the phone has
 * decided. `live`: so does the answer to a mark alone, and the live stream brings the list first. Other calls are
 * answered as with `up`. `portal`: a page of a captive portal answers, with 200. `busy`: a proxy refuses for now.
 * `garbled`: the answer breaks off.
 */
export type Network = 'up' | 'cutBefore' | 'cutAfter' | 'late' | 'live' | keyof typeof NOT_OURS | 'garbled'

const json = (status: number, body: unknown) => Response.json(body, { status })
/** Answers without the server having been asked. */
const NOT_OURS = {
  portal: () => new Response('<!doctype html><title>Welcome</title>', { headers: { 'content-type': 'text/html' } }),
  busy: () => json(503, { success: false, code: 'UNAVAILABLE', message: 'Later' }),
  tooMany: () => json(429, { success: false, code: 'RATE_LIMITED', message: 'Later' }),
} as const
const isNotOurs = (network: Network): network is keyof typeof NOT_OURS => Object.hasOwn(NOT_OURS, network)

async function garbled(response: Response): Promise<Response> {
  const text = await response.text()
  return new Response(text.slice(0, text.length / 2), response)
}

export interface Held {
  phone: GatePhone
  network: Network
  /** Its clock less the true time (ms). */
  skew: number
  /** Its disk has no room. */
  full: boolean
  enter: <R>(act: () => Promise<R>) => Promise<R>
  /** The same while people wait: late answers arrive after `act`. */
  enterWithQueue: <R>(act: () => Promise<R>) => Promise<R>
}

interface Surroundings {
  /** The true time (ms). */
  now: () => number
  answer: (request: Request) => Promise<Response>
}

const SCANNER = new URL('../../../../client/src/', import.meta.url).href
const PHONE = new URL('scanner/testing/gatePhone.ts', SCANNER).href
/** How long people in a queue wait for an answer (ms); longer timers belong to the page's later life. */
const PATIENCE_MS = 1_500
/** And how long if the phone cannot decide, because it has no room (ms). */
const LAST_RESORT_MS = 5_000

const HELD_BACK: Readonly<Partial<Record<Network, RegExp>>> = {
  late: /\/api\/tickets\//,
  live: /\/api\/tickets\/mark-used/,
}

interface Page {
  skew: number
  indexedDB: unknown
  storage: Map<string, string>
}

/**
 * Real scanners side by side in this process: each has its own copy of the client's modules, its own database, storage and clock,
 * and one acts at a time. Only what a browser gives is replaced: time, timers, storage and the network.
 */
export async function takePhones(count: number, { now, answer }: Surroundings): Promise<Held[]> {
  ownModules()
  let page: Page | undefined
  let held: Held | undefined
  const waiting: (() => void)[] = []
  /** Whether somebody waits for a scan whose answer is late, and what happens when nobody does any more. */
  let queue: { patience: (() => void)[] } | undefined
  const patienceIsOver = () => {
    for (const over of queue?.patience.splice(0) ?? []) over()
  }
  const define = (name: string, get: () => unknown) =>
    Object.defineProperty(globalThis, name, { get, set: () => undefined, configurable: true })
  define('BroadcastChannel', () => undefined)
  define('navigator', () => ({ onLine: true, userAgent: 'Mozilla/5.0 (Linux; Android 16)' }))
  define('isSecureContext', () => true)
  define('localStorage', () => ({
    getItem: (key: string) => page?.storage.get(key) ?? null,
    setItem: (key: string, value: string) => page?.storage.set(key, value),
    removeItem: (key: string) => page?.storage.delete(key),
    clear: () => page?.storage.clear(),
  }))
  setClock(() => now() + (page?.skew ?? 0))
  setTimers((act, ms) => {
    if (ms === LAST_RESORT_MS && waiting.length > 0) setImmediate(act)
    else if (ms === PATIENCE_MS || ms === LAST_RESORT_MS) queue?.patience.push(act)
  })
  const AtHome = class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(typeof input === 'string' ? new URL(input, 'http://localhost:8080') : input, init)
    }
  }
  Object.assign(globalThis, { Request: AtHome })
  Object.assign(globalThis, {
    fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
      const network = held?.network ?? 'up'
      if (network === 'cutBefore') throw new TypeError('No network')
      if (isNotOurs(network)) return NOT_OURS[network]()
      const request = new AtHome(input, init)
      const response = await answer(request)
      if (network === 'cutAfter') throw new TypeError('The answer was lost')
      if (network === 'garbled') return garbled(response)
      if (queue && HELD_BACK[network]?.test(request.url)) {
        if (network === 'live') await held?.phone.list()
        const later = new Promise<void>((resolve) => waiting.push(resolve))
        patienceIsOver()
        await later
      }
      return response
    },
  })
  console.info = () => undefined
  console.warn = () => undefined

  const phones: Held[] = []
  for (let n = 0; n < count; n += 1) {
    const own: Page = { skew: 0, indexedDB: undefined, storage: new Map() }
    page = own
    const { default: phone } = (await import(`${PHONE}?phone=${n}`)) as { default: GatePhone }
    own.indexedDB = phone.disk
    define('indexedDB', () => page?.indexedDB)
    const one: Held = {
      phone,
      network: 'up',
      full: false,
      get skew() {
        return own.skew
      },
      set skew(ms) {
        own.skew = ms
      },
      enter: async (act) => {
        page = own
        held = one
        try {
          const result = await act()
          queue = undefined
          // Late answers arrive now.
          for (const release of waiting.splice(0)) release()
          await phone.settled()
          return result
        } finally {
          page = undefined
          held = undefined
          queue = undefined
        }
      },
      enterWithQueue: (act) => {
        if (one.network === 'late' || one.network === 'live') queue = { patience: [] }
        return one.enter(act)
      },
    }
    phones.push(one)
  }
  page = undefined
  fillDisks(() => held?.full === true)
  return phones
}

/** A browser fails the write when the transaction ends; here it fails at once, and the library passes any promise on. */
function fillDisks(isFull: () => boolean): void {
  const { add, put } = IDBObjectStore.prototype
  const refusing = (write: typeof add) =>
    function (this: IDBObjectStore, ...row: Parameters<typeof add>) {
      return isFull() ? Promise.reject(new DOMException('Full', 'QuotaExceededError')) : write.apply(this, row)
    }
  Object.assign(IDBObjectStore.prototype, { add: refusing(add), put: refusing(put) })
}

/** A client module that a phone's copy imports comes from the same copy. */
function ownModules(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const query = /\?phone=\d+$/.exec(context.parentURL ?? '')?.[0]
      return query && found.url.startsWith(SCANNER) ? { ...found, url: `${found.url}${query}` } : found
    },
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.startsWith(SCANNER) || !url.includes('/platform/config.ts')) return loaded
      return { ...loaded, source: `import.meta.env = {};${loaded.source}` }
    },
  })
}

function setClock(now: () => number): void {
  const Real = Date
  const Own = class extends Real {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [now()] : given) as [number]))
    }
    static override now = now
    static override [Symbol.hasInstance](value: unknown): boolean {
      return Object.prototype.toString.call(value) === '[object Date]'
    }
  }
  Object.assign(globalThis, { Date: Own })
}

/** Nobody waits here for a timer of seconds. With late answers, a phone's patience ends once one is on its way. */
function setTimers(later: (act: () => void, ms: number) => void): void {
  const real = setTimeout
  const own = (act: () => void, ms = 0) => {
    if (ms < 500) return real(act, ms)
    later(act, ms)
    return real(() => undefined, ms).unref()
  }
  Object.assign(globalThis, { setTimeout: own })
}
