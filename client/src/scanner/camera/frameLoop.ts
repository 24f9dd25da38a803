import type { Decoder } from '../decode/createDecoder.ts'
import type { Decoded } from '../decode/reading.ts'
import { grab } from './grab.ts'

/** No frame for this long from a live track: the black picture some phones show after unlocking. */
const STALL_MS = 4_000

export interface FrameLoopOptions {
  video: HTMLVideoElement
  decoder: Decoder
  /** Whether frames are examined now; their arrival is watched in any case. */
  isLooking: () => boolean
  onPicture: () => void
  onStall: () => void
  /** Called after each examined frame with the code in it, or null. */
  onLooked: (decoded: Decoded | null) => void
}

/** Calls `then` at the video's next frame; returns a function that cancels it. */
function atNextFrame(video: HTMLVideoElement, then: () => void): () => void {
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
 * Hands the decoder a frame whenever it is free: one in flight, frames that come meanwhile are never even taken. How many
 * of the readings are scans is the consumer's to say (SPEC 9).
 */
export function runFrameLoop(options: FrameLoopOptions): () => void {
  const { video, decoder, isLooking, onPicture, onStall, onLooked } = options
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

  async function look() {
    if (isTaking || decoder.isBusy() || !isLooking()) return
    isTaking = true
    try {
      const frame = await grab(video, decoder.takes())
      if (frame === null) return
      const decoded = await decoder.decode(frame)
      if (isRunning && isLooking()) onLooked(decoded)
    } catch {
      // A frame that cannot be taken (the track has just ended) is dropped; the stall watch notices the rest.
    } finally {
      isTaking = false
    }
  }

  function tick() {
    if (!isRunning) return
    watch()
    onPicture()
    void look()
    callOff = atNextFrame(video, tick)
  }

  callOff = atNextFrame(video, tick)
  watch()
  return () => {
    isRunning = false
    clearTimeout(stall)
    callOff()
  }
}
