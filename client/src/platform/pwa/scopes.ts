import { HOMES } from '@garba/shared/contracts/site/pages'

/** Workbox tests these against path and query together. */
const below = (path: string) => new RegExp(`^${path}(?:[/?]|$)`)

export const SCANNER_PAGES = below(HOMES.qrchecker)

export const NOT_THE_SITES = [
  below('/api'),
  SCANNER_PAGES,
  below('/identitytoolkit\\.googleapis\\.com'),
  below('/securetoken\\.googleapis\\.com'),
  below('/emulator'),
  below('/healthz'),
  below('/__'),
  // A file, not a page.
  /^[^?]*\.[a-z0-9]+(?:\?|$)/i,
]
