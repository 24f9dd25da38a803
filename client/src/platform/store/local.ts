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
  readJson<T>(key: string): T | null {
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

/** A person's unfinished input. It is kept here in platform, because signing out on any page removes it. */
const draftIn = (key: string) => ({
  read: <T>() => local.readJson<T>(key),
  write: (draft: object): void => local.writeJson(key, draft),
  drop: (): void => local.write(key, null),
})

export const eventDraft = draftIn('garba.event-draft')
export const saleDraft = draftIn('garba.sale')

/** boot.ts reads it too. */
export const SIGNED_IN = 'garba.signedIn'

/**
 * Whether somebody is signed in on this device. Read before anything else, so that a visitor's page never loads Firebase,
 * which is heavier than the page itself, and a user's page never starts out looking signed out.
 */
export const wasSignedIn = (): boolean => local.read(SIGNED_IN) === '1'
export function markSignedIn(is: boolean): void {
  local.write(SIGNED_IN, is ? '1' : null)
  if (!is) for (const key of [OWN_TICKETS, SENDER_NAME]) local.write(key, null)
}

export const OWN_TICKETS = 'garba.ownTickets'
export const SENDER_NAME = 'garba.senderName'

// The scanner leaves the rest for the site's pages. It is in no database, because every visitor's page reads it.

const UNSENT = 'garba.unsentScans'
export const mayHaveUnsentScans = (): boolean => local.read(UNSENT) === '1'
/** Called after each scan, so it writes only what has changed. */
export function markUnsentScans(count: number): void {
  if (mayHaveUnsentScans() !== count > 0) local.write(UNSENT, count > 0 ? '1' : null)
}

const WANTED = 'garba.wantedScanner'
const WANTED_MS = 15 * 60_000

export const saveWantedScanner = (path: string): void => local.writeJson(WANTED, { path, at: Date.now() })

/** Returns the wanted page once, and only within a short time; null if there is none. */
export function takeWantedScanner(): string | null {
  const wanted = local.readJson<{ path: string; at: number }>(WANTED)
  local.write(WANTED, null)
  const isSoon = wanted !== null && Math.abs(Date.now() - wanted.at) < WANTED_MS
  return isSoon && isBelowScanner(wanted.path) ? wanted.path : null
}
