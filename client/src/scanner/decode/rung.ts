import type { Luma } from './luma.ts'
import type { Reading, RungName } from './reading.ts'

/** Input for native detectors; in Node, where the other rungs are tested, there is only `luma`. */
export type NativeSource = ImageBitmap | VideoFrame | ImageData

/** A frame as the rungs see it. The brightness is computed once, when the first rung needs it. */
export interface Picture {
  width: number
  height: number
  source: NativeSource | null
  luma(): Promise<Luma>
}

/** `turn` counts the frames in which nothing was read; a rung uses another variant for each. May throw; then the next rung reads. */
export type ReadPicture = (picture: Picture, turn: number) => Promise<readonly Reading[]>

export interface Rung {
  name: RungName
  /** Loads what it needs. Rejects if the platform lacks it. */
  load(): Promise<ReadPicture>
  /** Whether the next rung looks at the same frame when this one found nothing. */
  isDoubted: boolean
}
