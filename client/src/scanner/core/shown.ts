import type { Ending, HistoryStatus } from '../../platform/store/gateSchema.ts'

/** Colour and shape of a verdict: green tick, amber ring, red cross (LOOK). */
export type Look = 'allowed' | 'pending' | 'refused'

/** What the checker sees and hears of a scan, and what the history keeps of it. */
export interface Shown {
  scanId: string
  look: Look
  title: string
  detail: string
  name: string | null
  ticketId: string | null
  manual: boolean
  /** Who decided. */
  by: 'server' | 'device'
  status: HistoryStatus
  ending: Ending
}
