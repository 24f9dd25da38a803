import { PAGE_COOKIES } from '@garba/shared/contracts/pageData'

const KEY = 'garba.splash'

/**
 * Whether the splash may show now: at the first visit of / in this browser session, and never for readers who asked for
 * less motion (DECISIONS 5). Asking uses it up. Where sessionStorage is denied there is no telling, so it is left out.
 */
export function claimSplash(): boolean {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return false
  try {
    if (sessionStorage.getItem(KEY) !== null) return false
    sessionStorage.setItem(KEY, 'shown')
    // Until the browser is closed the server leaves the splash out of the pages it renders.
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox
    document.cookie = `${PAGE_COOKIES.splash}=seen; Path=/; SameSite=Lax`
    return true
  } catch (error) {
    console.warn('Session storage is not usable', error)
    return false
  }
}
