export const OVERRIDE: string
export const HEADLESS: string
export function runs(path: string): boolean
/** The path of an installed Chrome or Chromium that works. */
export function findInstalled(): string | undefined
export function ensureByApt(): Promise<void>
export function installByApt(packages: readonly string[]): Promise<void>
