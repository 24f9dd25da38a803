import type { Luma } from './luma.ts'
import type { Reading, RungName } from './reading.ts'

/** What native detectors take; in Node, where the others are tested, there is only `luma`. */
export type NativeSource = ImageBitmap | VideoFrame | ImageData

/** A frame as the rungs see it. The light is worked out when the first rung asks, and once. */
export interface Picture {
  width: number
  height: number
  source: NativeSource | null
  luma(): Promise<Luma>
}

/** `turn` counts the frames in which nothing was read: a rung takes another variant at each. May throw; then the next rung reads. */
export type ReadPicture = (picture: Picture, turn: number) => Promise<readonly Reading[]>

export interface Rung {
  name: RungName
  /** Loads what it needs. Rejects where the platform has not got it. */
  load(): Promise<ReadPicture>
  /** Whether the next rung is to look at the same frame when this one found nothing. */
  isDoubted: boolean
}
