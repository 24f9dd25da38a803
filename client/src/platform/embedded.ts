import { useSessionStore } from './identity/session.ts'
import { isInstalled } from './pwa/install.ts'

/** A browser built into an app. Google refuses to sign in there, and many open no other app. */
export interface EmbeddedBrowser {
  /** The app's name; null when only the browser's kind is known. */
  app: string | null
  system: 'android' | 'ios' | 'other'
}

/** Marks that apps add to their user agents. Messenger and Threads also carry their siblings' marks, so they come first. */
const APPS: readonly [RegExp, string][] = [
  [/Barcelona/, 'Threads'],
  [/Instagram/, 'Instagram'],
  [/FBAN\/Messenger|\bOrca-|MESSENGER/, 'Messenger'],
  [/\bFBA[NV]\/|\bFB_IAB\//, 'Facebook'],
  [/Snapchat/, 'Snapchat'],
  [/LinkedInApp/, 'LinkedIn'],
]
/** Android's WebView names itself. Apple's does not, but lacks the word Safari, which every browser there has. */
const WEB_VIEW = /; wv\)|(iPhone|iPad|iPod|Macintosh)(?!.*Safari\/).*AppleWebKit/

export function detectEmbeddedBrowser(userAgent: string): EmbeddedBrowser | null {
  const app = APPS.find(([sign]) => sign.test(userAgent))?.[1] ?? null
  if (app === null && !WEB_VIEW.test(userAgent)) return null
  const system = /Android/.test(userAgent) ? 'android' : /iPhone|iPad|iPod|Macintosh/.test(userAgent) ? 'ios' : 'other'
  return { app, system }
}

/** An app on Apple's home screen has a user agent like a built-in browser's. */
export const findEmbeddedBrowser = (): EmbeddedBrowser | null =>
  isInstalled() ? null : detectEmbeddedBrowser(navigator.userAgent)

/** Opens an address in the phone's own browser; null where no link can do that. */
export function leavingLink(address: string, { system }: EmbeddedBrowser): string | null {
  if (system === 'ios') return `x-safari-${address}`
  const { protocol, host, pathname, search, hash } = new URL(address)
  // An intent cannot carry the address's own fragment.
  if (system === 'other' || hash !== '') return null
  const intent = `scheme=${protocol.slice(0, -1)};action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE`
  return `intent://${host}${pathname}${search}#Intent;${intent};S.browser_fallback_url=${encodeURIComponent(address)};end`
}

/** Opens the sheet in place of a payment app's link, which may not open here. Returns whether it did. */
export function offerOtherBrowser(link: string): boolean {
  if (findEmbeddedBrowser() === null) return false
  useSessionStore.setState({ sheet: { open: true, why: 'upi', link } })
  return true
}
