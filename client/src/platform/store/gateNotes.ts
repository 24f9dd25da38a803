import { isBelowScanner } from '@garba/shared/contracts/site/pages'
import { local } from './local.ts'

/** What the scanner leaves for the site's pages. Tiny, and no database is opened for it: every visitor's page reads it. */

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
