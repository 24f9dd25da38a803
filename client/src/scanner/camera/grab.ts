import type { Takes } from '../decode/protocol.ts'
import type { NativeSource } from '../decode/rung.ts'

let canvas: CanvasRenderingContext2D | null = null

/** The picture's pixels, for browsers whose workers cannot draw. */
function pixelsOf(video: HTMLVideoElement): ImageData | null {
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
 * The picture a video shows now, as cheaply as this browser can hand it to a worker: a VideoFrame shares the camera's
 * memory, an ImageBitmap is a copy the browser makes aside, pixels are copied on this thread. Null when there is none yet.
 */
export async function grab(video: HTMLVideoElement, takes: Takes): Promise<NativeSource | null> {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null
  if (takes === 'pixels') return pixelsOf(video)
  if (typeof VideoFrame !== 'undefined' && !isVideoFrameUnfit) {
    try {
      return new VideoFrame(video, { timestamp: 0 })
    } catch {
      isVideoFrameUnfit = true
    }
  }
  return createImageBitmap(video)
}
