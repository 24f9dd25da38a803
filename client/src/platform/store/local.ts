import { isBelowScanner } from '@garba/shared/contracts/site/pages'

/** localStorage for small facts needed before the first paint. The browser may deny any access; then reads are null. */
export const local = {
  read(key: string): string | null {
    if (typeof localStorage === 'undefined') return null
    try {
      return localStorage.getItem(key)
    } catch (error) {
      console.warn('Local storage is not readable', error)
      return null
    }
  },
  write(key: string, value: string | null): void {
    try {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    } catch (error) {
      console.warn('Local storage is not writable', error)
    }
  },
  /** The stored JSON, unchecked. A half-written value is dropped and reads as null. */
  readJson(key: string): unknown {
    try {
      return JSON.parse(local.read(key) ?? 'null')
    } catch (error) {
      console.warn(`What is stored as ${key} is not readable`, error)
      local.write(key, null)
      return null
    }
  },
  writeJson: (key: string, value: unknown): void => local.write(key, value === null ? null : JSON.stringify(value)),
}

/** What a person has not finished. Here in platform, because signing out on any page removes it. */
const draftIn = (key: string) => ({
  read: (): unknown => local.readJson(key),
  write: (draft: object): void => local.writeJson(key, draft),
  drop: (): void => local.write(key, null),
})

/** The event form's unsaved changes. */
export const eventDraft = draftIn('garba.event-draft')
/** The sale at the counter whose answer has not come. */
export const saleDraft = draftIn('garba.sale')

/** boot.ts reads it too. */
export const SIGNED_IN = 'garba.signedIn'

/**
 * Whether somebody is signed in on this device. Read before anything else, so that a visitor's page never loads Firebase,
 * which is heavier than the page itself, and a user's page never starts out looking signed out.
 */
export const wasSignedIn = (): boolean => local.read(SIGNED_IN) === '1'
export const markSignedIn = (is: boolean): void => local.write(SIGNED_IN, is ? '1' : null)

// The rest is what the scanner leaves for the site's pages: no database is opened for it, because every visitor's page reads it.

const UNSENT = 'garba.unsentScans'
/** Whether this device may have unsent scans; how many, its database says. */
export const mayHaveUnsentScans = (): boolean => local.read(UNSENT) === '1'
/** After each scan, so it writes only what has changed. */
export function noteUnsentScans(count: number): void {
  if (mayHaveUnsentScans() !== count > 0) local.write(UNSENT, count > 0 ? '1' : null)
}

const WANTED = 'garba.wantedScanner'
const WANTED_MS = 15 * 60_000

/** A checker who was sent away to sign in wanted this page of the scanner. */
export const noteWantedScanner = (path: string): void => local.writeJson(WANTED, { path, at: Date.now() })

/** The wanted page, once and not long after; null if there is none. */
export function takeWantedScanner(): string | null {
  const wanted = local.readJson(WANTED)
  if (wanted === null) return null
  local.write(WANTED, null)
  if (typeof wanted !== 'object' || !('path' in wanted) || !('at' in wanted)) return null
  const { path, at } = wanted
  const isSoon = typeof at === 'number' && Math.abs(Date.now() - at) < WANTED_MS
  return isSoon && typeof path === 'string' && isBelowScanner(path) ? path : null
}
