import type { GarbaEvent } from './event.ts'
import type { Config } from './site.ts'

// Separate from the schemas, so that the landing page loads these few lines without zod.

/** An event at a moment; `today` is its own day until it begins. */
export type Phase = 'before' | 'today' | 'running' | 'over'

/** What the server rendered a page from. The page carries it, so that the browser starts from the same state. */
export interface PageData {
  config: Config
  event: GarbaEvent | null
  language: string
  /** Of the event, by the server's clock; 'before' with no event. */
  phase: Phase
  /** The splash covers the page: the browser session has not seen it yet. */
  splash: boolean
}

/** The id of the JSON element that holds PageData. */
export const PAGE_DATA_ID = 'page-data'
/** Cookies the server reads for rendering: the reader's language, and whether this browser session has seen the splash. */
export const PAGE_COOKIES = { language: 'garba.language', splash: 'garba.splash' } as const
