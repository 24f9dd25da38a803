import type { Decoded, RungName } from './reading.ts'
import type { NativeSource } from './rung.ts'

/** The messages between page and decode worker. Frames are transferred, never copied. */
export type ToWorker =
  | { type: 'start'; given: { up: readonly RungName[] } }
  | { type: 'read'; id: number; frame: NativeSource }

/** Whether the worker can read a VideoFrame or ImageBitmap itself, or needs pixels. */
export type Takes = 'frames' | 'pixels'

export type FromWorker =
  | { type: 'ready'; rung: RungName; takes: Takes }
  | { type: 'unable'; why: string }
  | { type: 'givenUp'; rung: RungName; why: string }
  | { type: 'read'; id: number; decoded: Decoded | null }
