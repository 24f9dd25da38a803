import { type FrameLoopOptions, runFrameLoop } from './frameLoop.ts'

interface Shown extends Pick<FrameLoopOptions, 'decoder' | 'onPicture'> {
  stream: MediaStream
}

/** The element that shows the stream, and the loop that looks at its frames. */
export interface Picture {
  element(): HTMLVideoElement | null
  put(element: HTMLVideoElement | null): void
  /** Shows the stream and watches its frames. Playing may be refused until the next tap; the stall watch sees to that. */
  show(shown: Shown): void
  clear(): void
}

export function createPicture(watch: Pick<FrameLoopOptions, 'isLooking' | 'onStall' | 'onDecoded'>): Picture {
  let video: HTMLVideoElement | null = null
  let endLoop = () => {}
  return {
    element: () => video,
    put(element) {
      video = element
      if (!video) return
      // Without these three, iOS shows its own player or none.
      video.muted = true
      video.playsInline = true
      video.autoplay = true
    },
    show({ stream, decoder, onPicture }) {
      if (!video) return
      if (video.srcObject !== stream) {
        endLoop()
        video.srcObject = stream
        endLoop = runFrameLoop({ ...watch, video, decoder, onPicture })
      }
      video.play().catch((error: unknown) => console.warn('The picture does not play yet', error))
    },
    clear() {
      endLoop()
      if (video) video.srcObject = null
    },
  }
}
