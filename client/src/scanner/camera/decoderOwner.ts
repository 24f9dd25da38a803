import { createDecoder, type Decoder } from '../decode/createDecoder.ts'

interface DecoderOwnerOptions {
  onReady: () => void
  onUnable: () => void
}

/** The decoder in use; answers of one that was stopped or replaced are ignored. */
export interface DecoderOwner {
  current(): Decoder | null
  /** Creates one if there is none. */
  need(): void
  stop(): void
}

export function createDecoderOwner({ onReady, onUnable }: DecoderOwnerOptions): DecoderOwner {
  let current: Decoder | null = null
  return {
    current: () => current,
    need() {
      if (current) return
      let made: Decoder | null = null
      const unable = (why: unknown) => {
        if (made === null || current !== made) return
        console.warn('No decoder', why)
        current = null
        onUnable()
      }
      made = createDecoder({ onUnable: unable })
      current = made
      made.ready.then(() => current === made && onReady(), unable)
    },
    stop() {
      current?.stop()
      current = null
    },
  }
}
