import { type FrameLoopOptions, runFrameLoop } from './frameLoop.ts'

interface Shown extends Pick<FrameLoopOptions, 'decoder' | 'onPicture'> {
  stream: MediaStream
  /** The browser refuses to play the picture. */
  onStill: (error: unknown) => void
}

/** The element that shows the stream, and the loop that examines its frames. */
export interface Picture {
  element(): HTMLVideoElement | null
  put(element: HTMLVideoElement | null): void
  /** Shows the stream and watches its frames. Replacing or removing the stream before it plays is not a failure. */
  show(shown: Shown): void
  clear(): void
}

const isInterrupted = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

export function createPicture(watch: Pick<FrameLoopOptions, 'isLooking' | 'onStall' | 'onLooked'>): Picture {
  let video: HTMLVideoElement | null = null
  let endLoop = () => {}
  return {
    element: () => video,
    put(element) {
      video = element
      if (!video) return
      // Without these three, iOS shows its own player or nothing.
      video.muted = true
      video.playsInline = true
      video.autoplay = true
    },
    show({ stream, decoder, onPicture, onStill }) {
      if (!video) return
      if (video.srcObject !== stream) {
        endLoop()
        video.srcObject = stream
        endLoop = runFrameLoop({ ...watch, video, decoder, onPicture })
      }
      video.play().catch((error: unknown) => {
        if (!isInterrupted(error)) onStill(error)
      })
    },
    clear() {
      endLoop()
      if (video) video.srcObject = null
    },
  }
}
