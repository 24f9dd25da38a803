/**
 * The only script that a page rendered by the server begins with. It lets the page be painted first, then
 * fetches the app, and starts it piece by piece when the reader begins to use the page or has looked at it for a while; for
 * somebody signed in, at once. A press made before the app is there is made again once it is, even if the page had to be
 * loaded again for that. It imports nothing: it must be small and alone.
 */
const tag = document.querySelector<HTMLScriptElement>('script[data-app]')
const files = (tag?.dataset.app ?? '').split(' ')
const isReady: typeof import('./ready.ts').APP_READY = 'garba:ready'
/** A page in a background tab is not painted until someone looks. */
const PAINT_PATIENCE_MS = 1_500
const RETRY_MS = 3_000
/** In a row. More means that fetching is not what fails. */
const MOST_RELOADS = 3
const RELOADS = 'garba.reloadsForApp'
const MISSED = 'garba.missedPress'
/** From the end of loading. */
const UNUSED_AT_MOST_MS = 1_000
const USES = ['scroll', 'wheel', 'pointermove', 'pointerdown', 'keydown'] as const
const signedIn: typeof import('../platform/store/signedIn.ts').SIGNED_IN = 'garba.signedIn'

/** How the page after a reload finds what was pressed or chosen. */
interface KeptPress {
  button?: string
  language?: string
}

/** The last press the app has missed. */
let missed: (() => void) | null = null
let keptPress: KeptPress | null = null

function onClick({ target }: Event) {
  const button = target instanceof Element ? target.closest('button') : null
  if (button) press(button)
  if (button?.dataset.splash !== undefined) hideSplash()
  void begin()
}

function onChange({ target }: Event) {
  if (!(target instanceof HTMLSelectElement)) return
  choose(target, target.value)
  void begin()
}

function press(button: HTMLButtonElement) {
  missed = () => button.click()
  keptPress = { button: button.textContent }
}

function choose(select: HTMLSelectElement, language: string) {
  missed = () => {
    select.value = language
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }
  keptPress = { language }
}

function onKey({ key }: KeyboardEvent) {
  if (key !== 'Escape') return
  missed = () => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  keptPress = null
  hideSplash()
}

/** Ahead of the app, which then takes it away. */
function hideSplash() {
  document.querySelector('[data-splash]')?.setAttribute('hidden', '')
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
    forget(RELOADS)
  },
  { once: true },
)

let beginning: Promise<void> | null = null

/** Fetches and starts the app, once. */
function begin(): Promise<void> {
  beginning ??= startApp().catch((error: unknown) => {
    console.warn('The app could not be loaded', error)
    return reloadOnceFetched()
  })
  return beginning
}

/** Browsers remember for as long as a page lives that a module could not be fetched, so only a new page can try again. */
async function reloadOnceFetched(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  while (!(await areFetched()))
  const reloads = Number(sessionStorage.getItem(RELOADS))
  if (reloads >= MOST_RELOADS) return
  sessionStorage.setItem(RELOADS, `${reloads + 1}`)
  if (keptPress) sessionStorage.setItem(MISSED, JSON.stringify(keptPress))
  location.reload()
}

const areFetched = (): Promise<boolean> =>
  Promise.all(files.map((file) => fetch(file))).then(
    (answers) => answers.every(({ ok }) => ok),
    () => false,
  )

/** What was pressed before this page was loaded again, or a language chosen while this script was still on its way. */
function takeEarlierPress() {
  const { button: text, language } = JSON.parse(forget(MISSED) ?? '{}') as KeptPress
  // Something newer was pressed; the old is forgotten.
  if (missed) return
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text)
  const select = document.querySelector('select')
  if (button) press(button)
  else if (select && (language || !select.selectedOptions[0]?.defaultSelected)) choose(select, language ?? select.value)
}

/** Null also where the browser keeps nothing. */
function forget(key: string): string | null {
  try {
    const value = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return value
  } catch {
    return null
  }
}

async function startApp() {
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
    // Where the browser reports no paint, the timer is left.
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
    setTimeout(resolve, PAINT_PATIENCE_MS)
  })
}

/** Once the reader moves, taps or types; at the latest when the splash is over, or a while after loading. */
function used(): Promise<unknown> {
  const use = new Promise((resolve) => {
    for (const type of USES) addEventListener(type, resolve, { capture: true, once: true, passive: true })
  })
  return Promise.race([use, waited()])
}

async function waited() {
  if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve))
  const [splash] = document.querySelector('[data-splash]')?.getAnimations() ?? []
  // Taken away, it is cancelled.
  if (splash) await splash.finished.catch(() => undefined)
  else await new Promise((resolve) => setTimeout(resolve, UNUSED_AT_MOST_MS))
}

function isAwaited(): boolean {
  if (location.hash !== '' || missed !== null) return true
  try {
    return localStorage.getItem(signedIn) !== null
  } catch {
    return false
  }
}

async function boot() {
  await painted()
  // The page's controls are there by now, even if the browser had kept this script.
  takeEarlierPress()
  for (const href of files) addLink({ rel: 'modulepreload', href, crossOrigin: '' })
  if (!isAwaited()) await used()
  await begin()
  addLink({ rel: 'manifest', href: '/guest.webmanifest' })
}

void boot()

export {}
