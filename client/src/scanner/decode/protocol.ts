import type { Decoded, RungName } from './reading.ts'
import type { NativeSource } from './rung.ts'

/** What travels between the page and the decode worker. Frames are transferred, never copied. */
export type ToWorker =
  | { type: 'start'; given: { up: readonly RungName[] } }
  | { type: 'read'; id: number; frame: NativeSource }

/** Whether the worker can look into a VideoFrame or ImageBitmap itself, or must be given pixels. */
export type Takes = 'frames' | 'pixels'

export type FromWorker =
  | { type: 'ready'; rung: RungName; takes: Takes }
  | { type: 'unable'; why: string }
  | { type: 'givenUp'; rung: RungName; why: string }
  | { type: 'read'; id: number; decoded: Decoded | null }
