import { type Luma, lumaOfRgba } from './luma.ts'
import type { NativeSource, Picture } from './rung.ts'

/** Formats whose first plane is the brightness. */
const LIGHT_FIRST: ReadonlySet<string> = new Set(['I420', 'I420A', 'I422', 'I444', 'NV12'])

const isVideoFrame = (source: NativeSource): source is VideoFrame =>
  typeof VideoFrame !== 'undefined' && source instanceof VideoFrame

const isPixels = (source: NativeSource): source is ImageData => 'data' in source

/** The canvas used to read a frame's pixels, created once. */
let canvas: OffscreenCanvasRenderingContext2D | null = null

function contextFor(width: number, height: number): OffscreenCanvasRenderingContext2D {
  canvas ??= new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!canvas) throw new Error('no 2d canvas in this worker')
  if (canvas.canvas.width !== width || canvas.canvas.height !== height) {
    canvas.canvas.width = width
    canvas.canvas.height = height
  }
  return canvas
}

/** Whether this worker can draw frames (Safari before 16.4 cannot). */
export function canDraw(): boolean {
  if (typeof OffscreenCanvas === 'undefined') return false
  return new OffscreenCanvas(1, 1).getContext('2d') !== null
}

/** A camera frame's first plane is its brightness: reading only that plane avoids converting to RGBA and back. */
async function firstPlane(frame: VideoFrame): Promise<Luma> {
  const bytes = new Uint8Array(frame.allocationSize())
  const [plane] = await frame.copyTo(bytes)
  const { width, height } = frame.visibleRect ?? { width: frame.codedWidth, height: frame.codedHeight }
  if (!plane) throw new Error('a frame without planes')
  if (plane.stride === width)
    return { width, height, data: bytes.subarray(plane.offset, plane.offset + width * height) }
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const from = plane.offset + y * plane.stride
    data.set(bytes.subarray(from, from + width), y * width)
  }
  return { width, height, data }
}

/** Whether a frame is shown as it is stored: not rotated, not stretched. */
function isUpright(frame: VideoFrame): boolean {
  const { rotation = 0, flip = false } = frame as { rotation?: number; flip?: boolean }
  return rotation === 0 && !flip && frame.visibleRect?.width === frame.displayWidth
}

function drawn(source: ImageBitmap | VideoFrame, { width, height }: { width: number; height: number }): Luma {
  const context = contextFor(width, height)
  context.drawImage(source, 0, 0, width, height)
  return lumaOfRgba(context.getImageData(0, 0, width, height))
}

const sizeOf = (source: NativeSource): { width: number; height: number } =>
  isVideoFrame(source) ? { width: source.displayWidth, height: source.displayHeight } : source

async function lumaOf(source: NativeSource): Promise<Luma> {
  if (isPixels(source)) return lumaOfRgba(source)
  if (isVideoFrame(source) && source.format && LIGHT_FIRST.has(source.format) && isUpright(source)) {
    return firstPlane(source)
  }
  return drawn(source, sizeOf(source))
}

/** A frame in the form the ladder needs. */
export function pictureOf(source: NativeSource): Picture {
  let luma: Promise<Luma> | null = null
  return {
    ...sizeOf(source),
    source,
    luma: () => {
      luma ??= lumaOf(source)
      return luma
    },
  }
}

/** Frees a frame's memory at once; camera frames come from a small pool. */
export function release(source: NativeSource): void {
  if (!isPixels(source)) source.close()
}
