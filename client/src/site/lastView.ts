import type { LastView } from '../platform/store/lastView.ts'

const kept: typeof import('../platform/store/lastView.ts').LAST_VIEW = 'garba.lastView'
const signedIn: typeof import('../platform/store/local.ts').SIGNED_IN = 'garba.signedIn'
const home: typeof import('@garba/shared/contracts/site/pages').HOMES.guest = '/dashboard/guest'
const PAINT_PATIENCE_MS = 300

/** Null also if the browser denies storage. */
function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export const isSignInKept = () => readKept(signedIn) !== null

function lastView(app: string): LastView | null {
  if (location.pathname !== home || location.search !== '' || location.hash !== '' || !isSignInKept()) return null
  const view = JSON.parse(readKept(kept) ?? 'null') as LastView | null
  return view?.app === app ? view : null
}

/**
 * Shows a signed-in guest their home as `app` last drew it: on a slow phone a ticket's code is on the screen in half the time.
 * Boot repeats a press of it once the app has drawn it again.
 */
export async function showLastView(app: string): Promise<void> {
  const root = document.getElementById('root')
  const view = lastView(app)
  if (!root || view === null) return
  const { language, styles, html } = view
  await Promise.all(styles.map(addStyles))
  document.documentElement.lang = language
  root.innerHTML = html
  const select = root.querySelector('select')
  if (select) select.value = language
  await painted()
}

function addStyles(href: string): Promise<unknown> {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve()
  return new Promise((resolve) => addLink({ rel: 'stylesheet', href, onload: resolve, onerror: resolve }))
}

export function addLink(link: Partial<HTMLLinkElement>): void {
  document.head.append(Object.assign(document.createElement('link'), link))
}

/** A frame is painted after its callbacks, before the next task. */
const painted = (): Promise<unknown> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, PAINT_PATIENCE_MS)
  })
