import {
  IDBCursor,
  IDBDatabase,
  IDBIndex,
  IDBKeyRange,
  IDBObjectStore,
  IDBRequest,
  IDBTransaction,
} from 'fake-indexeddb'
import type { DOMWindow } from 'jsdom'
import type { Network } from './network.ts'
import { isHiddenByStyle } from './visibility.ts'

export type PageWindow = DOMWindow & typeof globalThis

/** What all pages of one browser share. */
export interface Device {
  indexedDB: IDBFactory
  readonly localStorage: Storage
  /** Of this browser alone: tabs of two tests have the same channels' names. */
  readonly name: string
  readonly reducedMotion: boolean
  /** The pages run as an installed app. */
  readonly installed: boolean
}

interface PageEnvironment {
  device: Device
  network: Network
  sessionStorage: Storage
  /** Ends with the page. */
  life: AbortSignal
  follow: (url: string) => void
}

const VIEWPORT = { width: 1280, height: 800 }

/** Adds to a jsdom window the little that pages need of a browser beyond jsdom. */
export function furnish(window: PageWindow, standing: PageEnvironment): void {
  const { device, network, sessionStorage, life } = standing
  const put = (name: string, value: unknown) =>
    Object.defineProperty(window, name, { value, configurable: true, writable: true })
  const all = {
    ...nodesOwn(window, standing),
    // As a browser says of addresses of this machine.
    isSecureContext: true,
    indexedDB: device.indexedDB,
    ...{ IDBCursor, IDBDatabase, IDBIndex, IDBKeyRange, IDBObjectStore, IDBRequest, IDBTransaction },
    localStorage: device.localStorage,
    sessionStorage,
    matchMedia: (query: string) => mediaList(window, query, device),
    getComputedStyle: (element: Element, pseudo?: string | null) => computedStyle(element, pseudo ?? null),
    IntersectionObserver: AlwaysSeen,
    ResizeObserver: NeverResized,
    requestIdleCallback: (run: () => void) => window.setTimeout(run, 1),
    cancelIdleCallback: (id: number) => window.clearTimeout(id),
    scrollTo: (place: ScrollToOptions | number, y = 0) => scroll(window, typeof place === 'number' ? y : place.top),
  }
  for (const [name, value] of Object.entries(all)) put(name, value)
  Object.assign(window, { innerWidth: VIEWPORT.width, innerHeight: VIEWPORT.height })
  Object.defineProperty(window.navigator, 'onLine', { get: () => !network.isOffline })
  Object.assign(window.Element.prototype, {
    scrollTo() {},
    scrollIntoView() {},
    setPointerCapture() {},
    releasePointerCapture() {},
    hasPointerCapture: () => false,
  })
  takeNodesSignals(window.EventTarget.prototype)
  loadPictures(window, network, life)
  answerStyleLinks(window)
  followLinks(window, standing.follow)
}

/** Node's network, so that pages speak to the real server; addresses are the page's. */
function nodesOwn(window: PageWindow, { device, network, life }: PageEnvironment) {
  class PageRequest extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(typeof input === 'string' ? new URL(input, window.location.href) : input, init)
    }
  }
  const channels = `${device.name}:`
  return {
    Request: PageRequest,
    Response,
    Headers,
    AbortController,
    AbortSignal,
    crypto,
    ReadableStream,
    TextDecoder,
    TextEncoder,
    // Of the window's own, as tests put functions there; jsdom's parses addresses in JavaScript.
    URL: class extends URL {},
    URLSearchParams,
    setImmediate,
    structuredClone,
    BroadcastChannel: class extends BroadcastChannel {
      constructor(name: string) {
        super(channels + name)
        life.addEventListener('abort', () => this.close())
      }
    },
    fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new PageRequest(input, init)
      const signal = AbortSignal.any([request.signal, life])
      try {
        return await network.ask(new Request(request, { signal }))
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw new window.TypeError('Failed to fetch', { cause: error })
      }
    },
  }
}

/** Listeners that end with one of Node's signals, which pages have for Node's fetch: jsdom's targets take only its own. */
function takeNodesSignals(prototype: EventTarget): void {
  const { addEventListener } = prototype
  prototype.addEventListener = function (
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ) {
    if (typeof options !== 'object' || options.signal === undefined)
      return addEventListener.call(this, type, listener, options)
    const { signal, ...rest } = options
    if (signal.aborted) return
    addEventListener.call(this, type, listener, rest)
    signal.addEventListener('abort', () => this.removeEventListener(type, listener, rest), { once: true })
  }
}
// Node itself keeps a listener that ends with a signal for ever, and its page with it, if it can reach that signal.
takeNodesSignals(AbortSignal.prototype)

class AlwaysSeen {
  private readonly report: IntersectionObserverCallback

  constructor(report: IntersectionObserverCallback) {
    this.report = report
  }

  observe(target: Element) {
    const entry = { target, isIntersecting: true, intersectionRatio: 1 } as IntersectionObserverEntry
    queueMicrotask(() => this.report([entry], this as unknown as IntersectionObserver))
  }

  unobserve() {}
  disconnect() {}
  takeRecords = () => []
}

class NeverResized {
  observe() {}
  unobserve() {}
  disconnect() {}
}

function scroll(window: PageWindow, top = 0): void {
  Object.defineProperty(window, 'scrollY', { value: top, configurable: true })
  window.document.dispatchEvent(new window.Event('scroll', { bubbles: true }))
}

function mediaList(window: PageWindow, query: string, device: Device): MediaQueryList {
  const list = new window.EventTarget() as EventTarget & { addListener?: unknown }
  return Object.assign(list, {
    matches: query.split(',').some((one) => isMedia(one, device)),
    media: query,
    onchange: null,
    addListener() {},
    removeListener() {},
  }) as MediaQueryList
}

/** Conditions joined by `and`, each negated or not; what is not known here does not match. */
function isMedia(query: string, device: Device): boolean {
  return query.split(/ and /).every((part) => {
    const plain = part.trim().replace(/^\((.*\(.*\).*)\)$/, '$1')
    return plain.startsWith('not ') ? !isFeature(plain.slice('not '.length), device) : isFeature(plain, device)
  })
}

function isFeature(feature: string, { reducedMotion, installed }: Device): boolean {
  const [, bound, side, pixels] = /\((min|max)-(width|height): *(\d+)px\)/.exec(feature) ?? []
  if (side === 'width' || side === 'height')
    return bound === 'min' ? VIEWPORT[side] >= Number(pixels) : VIEWPORT[side] <= Number(pixels)
  if (/display-mode: *standalone/.test(feature)) return installed
  return /^(screen|all)$/.test(feature) || (reducedMotion && /prefers-reduced-motion(: *reduce)?\)/.test(feature))
}

const INLINE = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'code',
  'em',
  'i',
  'kbd',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'time',
])
const COMPUTED: Readonly<Record<string, string>> = {
  visibility: 'visible',
  position: 'static',
  overflow: 'visible',
  direction: 'ltr',
  opacity: '1',
  'pointer-events': 'auto',
}

/** Of the computed style only what the page's own styles hide, and what the element's attribute says. */
function computedStyle(element: Element, pseudo: string | null): CSSStyleDeclaration {
  const style = element.hasAttribute('style') ? (element as HTMLElement).style : null
  const value = (name: string): string => {
    if (pseudo !== null) return name === 'content' ? 'none' : ''
    if (name === 'display' && (element.hasAttribute('hidden') || isHiddenByStyle(element))) return 'none'
    const own = style?.getPropertyValue(name) ?? ''
    if (own !== '') return own
    return name === 'display' ? (INLINE.has(element.localName) ? 'inline' : 'block') : (COMPUTED[name] ?? '')
  }
  return new Proxy({} as CSSStyleDeclaration, {
    get: (_target, name) => {
      if (name === 'getPropertyValue') return value
      return value(String(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
    },
  })
}

/** A picture is fetched when it gets an address and fires load or error. Nothing is drawn. */
function loadPictures(window: PageWindow, network: Network, life: AbortSignal): void {
  const { prototype } = window.HTMLImageElement
  const own = Object.getOwnPropertyDescriptor(prototype, 'src')
  const { setAttribute } = prototype
  const load = async (picture: HTMLImageElement) => {
    const answer = await network.ask(new Request(picture.src, { signal: life })).catch(() => null)
    if (!life.aborted) picture.dispatchEvent(new window.Event(answer?.ok ? 'load' : 'error'))
  }
  Object.defineProperty(prototype, 'src', {
    ...own,
    set(this: HTMLImageElement, src: string) {
      own?.set?.call(this, src)
      void load(this)
    },
  })
  prototype.setAttribute = function (this: HTMLImageElement, name: string, value: string) {
    setAttribute.call(this, name, value)
    if (name === 'src') void load(this)
  }
}

/** Lazy parts of the app wait for their styles, which no page here loads. */
function answerStyleLinks(window: PageWindow): void {
  const seen = new window.MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node.nodeName === 'LINK') node.dispatchEvent(new window.Event('load'))
  })
  seen.observe(window.document.head, { childList: true })
}

/** A link that the app leaves to the browser opens a new page. */
function followLinks(window: PageWindow, follow: (url: string) => void): void {
  const followClick = (event: MouseEvent) => {
    const link = (event.target as Element | null)?.closest?.('a[href]') as HTMLAnchorElement | null
    if (link === null || link.target !== '' || link.hasAttribute('download')) return
    if (link.origin !== window.location.origin || link.hash !== '') return
    // When every listener has run.
    queueMicrotask(() => event.defaultPrevented || follow(link.href))
  }
  window.addEventListener('click', followClick, { capture: true })
}
