import type { Decoder } from '../decode/createDecoder.ts'
import type { DecodedCode, NativeSource, Takes } from '../decode/reading.ts'
import type { Abilities } from './model.ts'
import { createRest, READING_MS } from './rest.ts'

interface PictureSource extends Pick<FrameLoopOptions, 'decoder' | 'onPicture'> {
  stream: MediaStream
  onStill: (error: unknown) => void
}

export type Picture = ReturnType<typeof createPicture>

const isInterrupted = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

interface PictureWatch extends Pick<FrameLoopOptions, 'isLooking' | 'onStall' | 'onLooked'> {
  onRest: (isResting: boolean) => void
}

export function createPicture({ onRest, ...watch }: PictureWatch) {
  const rest = createRest(onRest)
  let video: HTMLVideoElement | null = null
  let isRefused = false
  /** After a refusal the first frame may still arrive and stay, because only a playing video delivers more. */
  const isStill = () => {
    isRefused &&= video?.paused ?? false
    return isRefused
  }
  let endLoop = () => {}
  return {
    element: () => video,
    put(element: HTMLVideoElement | null) {
      video = element
      if (!video) return
      // Without these three, iOS shows its own player or nothing.
      video.muted = true
      video.playsInline = true
      video.autoplay = true
    },
    /** Shows the stream and watches its frames. Replacing or removing the stream before it plays is not a failure. */
    show({ stream, decoder, onPicture, onStill }: PictureSource) {
      if (!video) return
      if (video.srcObject !== stream) {
        endLoop()
        video.srcObject = stream
        endLoop = runFrameLoop({ ...watch, rest, video, decoder, isStill, onPicture })
      }
      video.play().then(
        () => {
          isRefused = false
        },
        (error: unknown) => {
          if (isInterrupted(error)) return
          isRefused = true
          onStill(error)
        },
      )
    },
    wake: rest.wake,
    clear() {
      endLoop()
      if (video) video.srcObject = null
    },
  }
}

/** A live track that delivers no frame for this long shows the black picture that some phones have after unlocking. */
const STALL_MS = 4_000

interface FrameLoopOptions {
  video: HTMLVideoElement
  decoder: Decoder
  rest: ReturnType<typeof createRest>
  isLooking: () => boolean
  isStill: () => boolean
  onPicture: () => void
  onStall: () => void
  onLooked: (decoded: DecodedCode | null) => void
}

/** Calls `then` at the video's next frame, or the first after a pause (ms); returns a function that cancels it. */
function atNextFrame(video: HTMLVideoElement, then: () => void, pauseMs = 0): () => void {
  if (pauseMs > 0) {
    let callOff = () => clearTimeout(pause)
    const pause = setTimeout(() => {
      callOff = atNextFrame(video, then)
    }, pauseMs)
    return () => callOff()
  }
  if ('requestVideoFrameCallback' in video) {
    const handle = video.requestVideoFrameCallback(then)
    return () => video.cancelVideoFrameCallback(handle)
  }
  // Firefox before 132: a new frame shows as a changed time.
  const at = (video as HTMLVideoElement).currentTime
  const poll = () => {
    if ((video as HTMLVideoElement).currentTime === at) handle = requestAnimationFrame(poll)
    else then()
  }
  let handle = requestAnimationFrame(poll)
  return () => cancelAnimationFrame(handle)
}

/**
 * Hands the decoder a frame whenever it is free, one at a time; frames that arrive meanwhile are skipped. The consumer
 * decides which readings are scans. While the scanner rests, it looks seldom.
 */
function runFrameLoop(options: FrameLoopOptions): () => void {
  const { video, decoder, rest, isLooking, isStill, onPicture, onStall, onLooked } = options
  let isRunning = true
  let isTaking = false
  let stall: ReturnType<typeof setTimeout> | undefined
  let callOff = () => {}

  const watch = () => {
    clearTimeout(stall)
    stall = setTimeout(() => {
      watch()
      onStall()
    }, STALL_MS)
  }

  async function decodeFrame() {
    if (isTaking || decoder.isBusy() || !isLooking()) return
    isTaking = true
    try {
      const frame = await grab(video, decoder.takes())
      if (frame === null) return
      const decoded = await decoder.decode(frame)
      if (decoded !== null) rest.wake()
      if (isRunning && isLooking()) onLooked(decoded)
    } catch {
      // A frame that cannot be taken (the track has just ended) is dropped; the stall timer notices a dead track.
    } finally {
      isTaking = false
    }
  }

  function tick() {
    if (!isRunning) return
    watch()
    if (!isStill()) {
      onPicture()
      rest.look()
      void decodeFrame()
    }
    callOff = atNextFrame(video, tick, rest.isResting() ? READING_MS : 0)
  }

  callOff = atNextFrame(video, tick)
  watch()
  return () => {
    isRunning = false
    clearTimeout(stall)
    callOff()
  }
}

let canvas: CanvasRenderingContext2D | null = null

function grabPixels(video: HTMLVideoElement): ImageData | null {
  const { videoWidth: width, videoHeight: height } = video
  canvas ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!canvas || width === 0 || height === 0) return null
  if (canvas.canvas.width !== width || canvas.canvas.height !== height) {
    canvas.canvas.width = width
    canvas.canvas.height = height
  }
  canvas.drawImage(video, 0, 0)
  return canvas.getImageData(0, 0, width, height)
}

/** Set when this browser has VideoFrame but cannot create one from a camera's picture. */
let isVideoFrameUnfit = false

/**
 * The video's current picture in the cheapest form that this browser can transfer to a worker: a VideoFrame shares the camera's
 * memory, an ImageBitmap is copied off this thread, pixels are copied on it. Null before the first picture.
 */
async function grab(video: HTMLVideoElement, takes: Takes): Promise<NativeSource | null> {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null
  if (takes === 'pixels') return grabPixels(video)
  if (typeof VideoFrame !== 'undefined' && !isVideoFrameUnfit) {
    try {
      return new VideoFrame(video, { timestamp: 0 })
    } catch {
      isVideoFrameUnfit = true
    }
  }
  return createImageBitmap(video)
}

interface CameraCapabilities extends MediaTrackCapabilities {
  torch?: boolean
  zoom?: { min: number; max: number; step?: number }
  focusMode?: readonly string[]
  pointsOfInterest?: unknown
}
interface CameraConstraintSet extends MediaTrackConstraintSet {
  torch?: boolean
  zoom?: number
  focusMode?: string
  pointsOfInterest?: readonly { x: number; y: number }[]
}

const getTrackCapabilities = (track: MediaStreamTrack): CameraCapabilities =>
  'getCapabilities' in track ? track.getCapabilities() : {}

const apply = (track: MediaStreamTrack, set: CameraConstraintSet) =>
  track.applyConstraints({ advanced: [set] } as MediaTrackConstraints)

/** Firefox does not report capabilities, so there a camera counts as having no abilities. */
export function getCameraAbilities(track: MediaStreamTrack): Abilities {
  const { torch, zoom, focusMode } = getTrackCapabilities(track)
  return {
    torch: torch === true,
    zoom: zoom && zoom.max > zoom.min ? { min: zoom.min, max: zoom.max, step: zoom.step || 0.1 } : null,
    focus: focusMode?.some((mode) => mode === 'single-shot' || mode === 'continuous') ?? false,
  }
}

export async function keepFocusing(track: MediaStreamTrack): Promise<void> {
  if (getTrackCapabilities(track).focusMode?.includes('continuous')) await apply(track, { focusMode: 'continuous' })
}

export const setTorch = (track: MediaStreamTrack, torch: boolean): Promise<void> => apply(track, { torch })
export const setZoom = (track: MediaStreamTrack, zoom: number): Promise<void> => apply(track, { zoom })

export async function focusAt(track: MediaStreamTrack, point: { x: number; y: number }): Promise<void> {
  const { focusMode } = getTrackCapabilities(track)
  if (focusMode?.includes('single-shot')) {
    await apply(track, { focusMode: 'single-shot', pointsOfInterest: [point] })
  } else if (focusMode?.includes('continuous')) {
    await apply(track, { focusMode: 'continuous', pointsOfInterest: [point] })
  }
}
