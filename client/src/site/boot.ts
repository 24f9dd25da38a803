import { addLink, isSignInKept, showLastView } from './lastView.ts'

/**
 * Every page begins with this script. The bare shell starts the app at once, behind the guest's home as it was last drawn.
 * On a page rendered by the server it fetches the app after the first paint, and starts it piece by piece once the reader uses
 * the page or has looked at it for a while; for a signed-in user, at once. A press made too early is repeated once the app has
 * started, even after a reload. It imports nothing of the app, to stay small.
 */
const tag = document.querySelector<HTMLScriptElement>('script[data-app]')
const files = (tag?.dataset.app ?? '').split(' ')
/** A rendered page fetches this script beside itself, the bare shell after itself. */
const isRendered = tag?.async === true
const isReady: typeof import('./ready.ts').APP_READY = 'garba:ready'
/** A page in a background tab is not painted until the tab is shown. */
const PAINT_PATIENCE_MS = 1_500
const RETRY_MS = 3_000
/** After this many reloads in a row, something other than fetching must be failing. */
const MOST_RELOADS = 3
const RELOADS = 'garba.reloadsForApp'
const MISSED = 'garba.missedPress'
const UNUSED_AT_MOST_MS = 1_000
const USES = ['scroll', 'wheel', 'pointermove', 'pointerdown', 'keydown'] as const

/** On a rendered page details and links work by themselves; a last view is drawn anew. */
const PRESSED = isRendered ? 'button' : 'button, summary, a[href^="/"]'
/** After this long the reader is busy with something else. */
const REPEATED_FOR_MS = 5_000
const REPEATED_EVERY_MS = 100

/** Of which of the controls with this text. The app may draw the control anew. */
type MissedPress = readonly [text: string | null, nth: number]
type KeptPresses = [missed: MissedPress[], language: string | null]

let missed: MissedPress[] = []
/** Chosen after all presses, because their controls are found by their texts. */
let language: string | null = null

const hasMissed = () => missed.length > 0 || language !== null

function onClick(event: Event) {
  const control = event.target instanceof Element ? event.target.closest<HTMLElement>(PRESSED) : null
  if (control) {
    // React would answer while it takes the page over, and once more when the press is repeated.
    event.stopPropagation()
    if (!isRendered) event.preventDefault()
    keepPress(control)
    if (control === findSplash()) control.hidden = true
  }
  void begin()
}

function onChange(event: Event) {
  if (!(event.target instanceof HTMLSelectElement)) return
  event.stopPropagation()
  language = event.target.value
  void begin()
}

function onKey({ key }: KeyboardEvent) {
  if (key === 'Escape') findSplash()?.click()
}

const findSplash = () => document.querySelector<HTMLElement>('[data-splash]')
const findAlike = (text: string | null) =>
  [...document.querySelectorAll<HTMLElement>(PRESSED)].filter(({ textContent }) => textContent === text)

function keepPress(control: HTMLElement) {
  const text = control.textContent
  missed = [...missed.filter(([other]) => other !== text), [text, findAlike(text).indexOf(control)]]
}

/** In their order, up to one whose control is not there yet. */
function repeatMissed() {
  for (let press = missed[0]; press; press = missed[0]) {
    const control = findAlike(press[0])[press[1]]
    if (!control) return
    missed.shift()
    control.click()
  }
  const select = document.querySelector('select')
  if (language === null || !select) return
  select.value = language
  language = null
  select.dispatchEvent(new Event('change', { bubbles: true }))
}

const early = new AbortController()

function listen() {
  const options = { capture: true, signal: early.signal }
  document.addEventListener('click', onClick, options)
  document.addEventListener('change', onChange, options)
  document.addEventListener('keydown', onKey, options)
}

document.addEventListener(isReady, () => {
  early.abort()
  forget(RELOADS)
  repeatMissed()
  if (!hasMissed()) return
  const again = setInterval(repeatMissed, REPEATED_EVERY_MS)
  setTimeout(() => {
    clearInterval(again)
    missed = []
    repeatMissed()
  }, REPEATED_FOR_MS)
})

let beginning: Promise<void> | null = null

function begin(): Promise<void> {
  beginning ??= startApp().catch((error: unknown) => {
    console.warn('The app could not be loaded', error)
    return reloadOnceFetched()
  })
  return beginning
}

/** Browsers remember a failed module fetch for the page's lifetime, so only a reload can try again. */
async function reloadOnceFetched(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  while (!(await areFetched()))
  const reloads = Number(sessionStorage.getItem(RELOADS))
  if (reloads >= MOST_RELOADS) return
  sessionStorage.setItem(RELOADS, `${reloads + 1}`)
  sessionStorage.setItem(MISSED, JSON.stringify([missed, language]))
  location.reload()
}

const areFetched = (): Promise<boolean> =>
  Promise.all(files.map((file) => fetch(file))).then(
    (answers) => answers.every(({ ok }) => ok),
    () => false,
  )

function takeEarlierPresses() {
  const earlier = forget(MISSED)
  if (earlier !== null && !hasMissed()) [missed, language] = JSON.parse(earlier) as KeptPresses
  // A press before any script shows only in the focus, which a key would have made visible.
  const pressed = document.querySelector<HTMLElement>('button:focus:not(:focus-visible)')
  if (pressed) keepPress(pressed)
  const select = document.querySelector('select')
  if (select && !select.selectedOptions[0]?.defaultSelected) language ??= select.value
}

/** Reads and removes a key; null also if the browser denies storage. */
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
  // Each file gets its own task: starting all in one would delay a tap until the last has run.
  for (const file of files) {
    await import(/* @vite-ignore */ file)
    await nextTask()
  }
}

/** A message arrives sooner than a timer, which browsers throttle. */
function nextTask(): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = resolve
    port2.postMessage(null)
  })
}

async function painted(): Promise<void> {
  await new Promise<unknown>((resolve) => {
    // If the browser reports no paint, the timer below resolves.
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
    setTimeout(resolve, PAINT_PATIENCE_MS)
  })
}

function used(): Promise<unknown> {
  const use = new Promise((resolve) => {
    for (const type of USES) addEventListener(type, resolve, { capture: true, once: true, passive: true })
  })
  return Promise.race([use, waited()])
}

async function waited() {
  if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve))
  const [splash] = findSplash()?.getAnimations() ?? []
  // Removing the splash cancels its animation.
  if (splash) await splash.finished.catch(() => undefined)
  else await new Promise((resolve) => setTimeout(resolve, UNUSED_AT_MOST_MS))
}

const isAwaited = () => location.hash !== '' || hasMissed() || isSignInKept()

async function boot() {
  listen()
  if (!isRendered) {
    await showLastView(files.join(' ')).catch(() => undefined)
    return begin()
  }
  await painted()
  // After the paint the page's controls exist, even if this script came from the cache.
  takeEarlierPresses()
  for (const href of files) addLink({ rel: 'modulepreload', href, crossOrigin: '' })
  if (!isAwaited()) await used()
  await begin()
  addLink({ rel: 'manifest', href: '/guest.webmanifest' })
}

void boot()
