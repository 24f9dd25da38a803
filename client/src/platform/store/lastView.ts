import { HOMES } from '@garba/shared/contracts/site/pages'
import { local, wasSignedIn } from './local.ts'

/** site/lastView.ts reads it. */
export const LAST_VIEW = 'garba.lastView'

export interface LastView {
  /** The file of the app that drew it: another version would style it differently. */
  app: string
  language: string
  styles: string[]
  html: string
}

/** With more tickets than this holds, storing and reading the view would take longer than drawing it. */
const LETTERS_AT_MOST = 400_000
/** Base UI marks what an open dialog hides from screen readers, which a view without the dialog must not hide. */
const BEHIND_DIALOG = '[data-base-ui-inert]'

/**
 * Keeps what the guest's home shows, for the next start to show until the app has loaded. Elsewhere it drops the last
 * view.
 */
export function keepLastView(): void {
  local.writeJson(LAST_VIEW, viewNow())
}

export const dropLastView = (): void => local.write(LAST_VIEW, null)

function viewNow(): LastView | null {
  const root = document.getElementById('root')?.cloneNode(true)
  const app = document.querySelector<HTMLScriptElement>('script[data-app]')?.dataset.app
  if (!(root instanceof Element) || app === undefined || !wasSignedIn() || location.pathname !== HOMES.guest)
    return null
  if (root.querySelector(BEHIND_DIALOG)) return null
  for (const toast of root.querySelectorAll('[data-sonner-toaster]')) toast.remove()
  const html = root.innerHTML
  if (html.length > LETTERS_AT_MOST) return null
  const links = document.querySelectorAll('link[rel="stylesheet"]')
  const styles = Array.from(links, (link) => link.getAttribute('href') ?? '')
  return { app, language: document.documentElement.lang, styles, html }
}
