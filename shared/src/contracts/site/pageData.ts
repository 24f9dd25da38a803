import type { GarbaEvent } from '../event.ts'
import type { Config } from './site.ts'

// Separate from the schemas, so that the landing page loads these few lines without zod.

/** An event is in one of these phases; `today` is its own day until it begins. */
export type Phase = 'before' | 'today' | 'running' | 'over'

/** The server rendered the page from this; the page carries it so that the browser starts from the same state. */
export interface PageData {
  config: Config
  event: GarbaEvent | null
  language: string
  /** The event's phase by the server's clock; 'before' if there is no event. */
  phase: Phase
  /** The splash covers the page, because the browser session has not seen it yet. */
  splash: boolean
}

/** The id of the JSON element that holds PageData. */
export const PAGE_DATA_ID = 'page-data'
/** The server reads these cookies to render: the language, and whether this browser session has seen the splash. */
export const PAGE_COOKIES = { language: 'garba.language', splash: 'garba.splash' } as const
