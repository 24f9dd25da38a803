/**
 * Starts the app, but first shows a signed-in guest their home as it was last drawn: on a slow phone a ticket's code is
 * on the screen in half the time. The view cannot be pressed until the app has drawn it again. This file imports
 * nothing, so that it stays small.
 */
import type { LastView } from '../platform/store/lastView.ts'

const kept: typeof import('../platform/store/lastView.ts').LAST_VIEW = 'garba.lastView'
const signedIn: typeof import('../platform/store/local.ts').SIGNED_IN = 'garba.signedIn'
const home: typeof import('@garba/shared/contracts/site/pages').HOMES.guest = '/dashboard/guest'
const app = document.querySelector<HTMLScriptElement>('script[data-app]')?.dataset.app ?? ''
const RETRY_MS = 3_000
/** As in boot.ts. */
const MOST_RELOADS = 3
const RELOADS = 'garba.reloadsForApp'
/** A page in a background tab is not painted until the tab is shown. */
const PAINT_PATIENCE_MS = 300

function lastView(): LastView | null {
  if (location.pathname !== home || location.search !== '' || location.hash !== '') return null
  try {
    if (localStorage.getItem(signedIn) === null) return null
    const view = JSON.parse(localStorage.getItem(kept) ?? 'null') as LastView | null
    return view?.app === app ? view : null
  } catch {
    return null
  }
}

async function show({ language, styles, html }: LastView): Promise<void> {
  const root = document.getElementById('root')
  if (!root) return
  await Promise.all(styles.map(addStyles))
  document.documentElement.lang = language
  root.inert = true
  root.innerHTML = html
  new MutationObserver((_, observer) => {
    observer.disconnect()
    root.inert = false
  }).observe(root, { childList: true })
  await painted()
}

/** Resolves when the stylesheet has loaded or failed. */
function addStyles(href: string): Promise<unknown> {
  if (document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) return Promise.resolve()
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  const done = new Promise((resolve) => {
    link.onload = resolve
    link.onerror = resolve
  })
  document.head.append(link)
  return done
}

/** A frame is painted after its callbacks, before the next task. */
const painted = (): Promise<unknown> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, PAINT_PATIENCE_MS)
  })

async function start(): Promise<void> {
  try {
    await import(/* @vite-ignore */ app)
  } catch (error) {
    console.warn('The app could not be loaded', error)
    return reloadOnceFetched()
  }
  try {
    sessionStorage.removeItem(RELOADS)
  } catch {
    // A browser without storage has counted no reloads.
  }
}

/** Browsers remember a failed module fetch for the page's lifetime, so only a reload can try again. */
async function reloadOnceFetched(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  while (!(await isFetched()))
  const reloads = Number(sessionStorage.getItem(RELOADS) ?? 0)
  if (reloads >= MOST_RELOADS) return
  sessionStorage.setItem(RELOADS, String(reloads + 1))
  location.reload()
}

const isFetched = (): Promise<boolean> =>
  fetch(app).then(
    ({ ok }) => ok,
    () => false,
  )

const view = lastView()
if (view !== null) await show(view)
await start()
