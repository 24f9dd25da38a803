/**
 * The only script that a page rendered by the server begins with (DECISIONS 9). It lets the page be painted first, then
 * fetches the app and starts it piece by piece, so that the page answers a finger meanwhile. A press made before the app is
 * there is made again once it is. It imports nothing: it must be small and alone.
 */
const tag = document.querySelector<HTMLScriptElement>('script[data-app]')
const files = (tag?.dataset.app ?? '').split(' ')
const isReady: typeof import('./ready.ts').APP_READY = 'garba:ready'
/** A page in a background tab is not painted until someone looks. */
const PAINT_PATIENCE_MS = 1_500
const RETRY_MS = 3_000

/** The last press the app has missed. */
let missed: (() => void) | null = null

function onClick({ target }: Event) {
  const button = target instanceof Element ? target.closest('button') : null
  if (button) missed = () => button.click()
  void begin()
}

function onChange({ target }: Event) {
  if (!(target instanceof HTMLSelectElement)) return
  const { value } = target
  missed = () => {
    target.value = value
    target.dispatchEvent(new Event('change', { bubbles: true }))
  }
  void begin()
}

function onKey({ key }: KeyboardEvent) {
  if (key === 'Escape') missed = () => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
}

document.addEventListener('click', onClick, true)
document.addEventListener('change', onChange, true)
document.addEventListener('keydown', onKey, true)
document.addEventListener(
  isReady,
  () => {
    document.removeEventListener('click', onClick, true)
    document.removeEventListener('change', onChange, true)
    document.removeEventListener('keydown', onKey, true)
    missed?.()
  },
  { once: true },
)

let beginning: Promise<void> | null = null

/** Fetches and starts the app, once; after a failure again at the next press, at the latest in a few seconds. */
function begin(): Promise<void> {
  beginning ??= startApp().catch((error: unknown) => {
    beginning = null
    console.warn('The app could not be loaded', error)
    setTimeout(() => void begin(), RETRY_MS)
  })
  return beginning
}

async function startApp() {
  for (const href of files) addLink({ rel: 'modulepreload', href, crossOrigin: '' })
  // One task for each file: starting all at once would hold up a tap for as long as all of them take.
  for (const file of files) {
    await import(/* @vite-ignore */ file)
    await nextTask()
  }
}

/** A message comes sooner than a timer, which browsers hold back. */
function nextTask(): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = resolve
    port2.postMessage(null)
  })
}

function addLink(link: Partial<HTMLLinkElement>) {
  document.head.append(Object.assign(document.createElement('link'), link))
}

async function painted(): Promise<void> {
  await new Promise<unknown>((resolve) => {
    if (PerformanceObserver.supportedEntryTypes.includes('paint'))
      new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
    setTimeout(resolve, PAINT_PATIENCE_MS)
  })
}

void painted()
  .then(begin)
  .then(() => addLink({ rel: 'manifest', href: '/guest.webmanifest' }))

export {}
