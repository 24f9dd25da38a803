import type { Corners, NativeSource, Picture, Point } from './reading.ts'

/** A picture's brightness, 0 = black, 255 = white: all a QR reader needs. */
export interface Luma {
  width: number
  height: number
  data: Uint8ClampedArray | Uint8Array
}

export interface View {
  luma: Luma
  inFrame(point: Point): Point
}

const GREY = 128

/** Weights of ITU-R BT.601 in 1024ths. */
export function lumaOfRgba({ width, height, data }: { width: number; height: number; data: ArrayLike<number> }): Luma {
  const light = new Uint8Array(width * height)
  for (let i = 0, at = 0; i < light.length; i++, at += 4) {
    light[i] = (306 * (data[at] ?? 0) + 601 * (data[at + 1] ?? 0) + 117 * (data[at + 2] ?? 0) + 512) >> 10
  }
  return { width, height, data: light }
}

export const cornersInFrame = ([a, b, c, d]: Corners, { inFrame }: View): Corners => [
  inFrame(a),
  inFrame(b),
  inFrame(c),
  inFrame(d),
]

export const toView = (luma: Luma): View => ({ luma, inFrame: (point) => point })

/** The checker aims, so the centre deserves a closer look; cropping to it makes up for most of the cost of doubling. */
export const MIDDLE = 0.6
export const MOST = 0.8

export function cropCentre({ luma, inFrame }: View, share: number): View {
  const width = Math.max(1, Math.floor(luma.width * share))
  const height = Math.max(1, Math.floor(luma.height * share))
  const left = (luma.width - width) >> 1
  const top = (luma.height - height) >> 1
  const data = new Uint8Array(width * height)
  for (let row = 0; row < height; row++) {
    const from = (row + top) * luma.width + left
    data.set(luma.data.subarray(from, from + width), row * width)
  }
  return { luma: { width, height, data }, inFrame: ({ x, y }) => inFrame({ x: left + x, y: top + y }) }
}

/** Half the width and height, each pixel the mean of four: removes noise and moire, keeps coarse codes. */
export function halveView({ luma, inFrame }: View): View {
  const width = luma.width >> 1
  const height = luma.height >> 1
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    let at = 2 * y * luma.width
    for (let x = 0; x < width; x++, at += 2) {
      const below = at + luma.width
      const sum =
        (luma.data[at] ?? 0) + (luma.data[at + 1] ?? 0) + (luma.data[below] ?? 0) + (luma.data[below + 1] ?? 0)
      data[y * width + x] = (sum + 2) >> 2
    }
  }
  return { luma: { width, height, data }, inFrame: ({ x, y }) => inFrame({ x: 2 * x, y: 2 * y }) }
}

/** Twice the width and height, interpolated: a reader needs about three pixels per module. */
export function doubleView({ luma, inFrame }: View): View {
  const width = luma.width * 2
  const height = luma.height * 2
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const here = (y >> 1) * luma.width
    const next = Math.min(luma.height - 1, (y >> 1) + (y & 1)) * luma.width
    for (let x = 0; x < width; x++) {
      const column = x >> 1
      const beside = Math.min(luma.width - 1, column + (x & 1))
      const sum =
        (luma.data[here + column] ?? 0) +
        (luma.data[here + beside] ?? 0) +
        (luma.data[next + column] ?? 0) +
        (luma.data[next + beside] ?? 0)
      data[y * width + x] = (sum + 2) >> 2
    }
  }
  return { luma: { width, height, data }, inFrame: ({ x, y }) => inFrame({ x: x / 2, y: y / 2 }) }
}

/** Rotated, uncropped, on grey. Data looks like a mark only along rows and columns, so a turn tells them apart. */
export function rotateView({ luma, inFrame }: View, degrees: number): View {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const width = Math.ceil(luma.width * Math.abs(cos) + luma.height * Math.abs(sin))
  const height = Math.ceil(luma.width * Math.abs(sin) + luma.height * Math.abs(cos))
  const back = ({ x, y }: Point): Point => ({
    x: luma.width / 2 + cos * (x - width / 2) + sin * (y - height / 2),
    y: luma.height / 2 - sin * (x - width / 2) + cos * (y - height / 2),
  })
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = back({ x, y })
      const [column, row] = [Math.round(from.x), Math.round(from.y)]
      const isInside = column >= 0 && row >= 0 && column < luma.width && row < luma.height
      data[y * width + x] = isInside ? (luma.data[row * luma.width + column] ?? 0) : GREY
    }
  }
  return { luma: { width, height, data }, inFrame: (point) => inFrame(back(point)) }
}

/** A 3x3 binomial blur, `times` over; 4 times is a Gaussian of about 1.4 pixels. */
export function softenView(view: View, times = 1): View {
  const { width, height } = view.luma
  let from = view.luma.data
  const rows = new Uint16Array(width * height)
  for (let time = 0; time < times; time++) {
    const to = new Uint8Array(from)
    let [before, here] = [from[0] ?? 0, from[1] ?? 0]
    for (let i = 1; i < rows.length - 1; i++) {
      const after = from[i + 1] ?? 0
      rows[i] = before + 2 * here + after
      before = here
      here = after
    }
    for (let y = 1; y < height - 1; y++) {
      for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
        to[i] = ((rows[i - width] ?? 0) + 2 * (rows[i] ?? 0) + (rows[i + width] ?? 0) + 8) >> 4
      }
    }
    from = to
  }
  return { ...view, luma: { width, height, data: from } }
}

/** Adds back `gain` times what a blur of `times` removes: undoes some defocus at the cost of noise. */
export function sharpenView(view: View, { times, gain }: { times: number; gain: number }): View {
  const { width, height, data } = view.luma
  const blurred = softenView(view, times).luma.data
  const sharp = new Uint8ClampedArray(data.length)
  for (let i = 0; i < data.length; i++) {
    const value = data[i] ?? 0
    sharp[i] = value + gain * (value - (blurred[i] ?? 0))
  }
  return { ...view, luma: { width, height, data: sharp } }
}

/** A picture with each brightness changed to another. */
export function mapLight(luma: Luma, change: (light: number) => number): Luma {
  const curve = Uint8Array.from({ length: 256 }, (_, light) => change(light))
  // `map` with a function takes ten times as long.
  const data = new Uint8Array(luma.data.length)
  for (let i = 0; i < data.length; i++) data[i] = curve[luma.data[i] ?? 0] ?? 0
  return { ...luma, data }
}

/**
 * Brightness raised to the power of `exponent`: below 1 it spreads shadows and evens out bars rolling over a screen, above 1 it
 * spreads highlights.
 */
export const toneView = (view: View, exponent: number): View => ({
  ...view,
  luma: mapLight(view.luma, (light) => Math.round(255 * (light / 255) ** exponent)),
})

/**
 * Black where a pixel is darker than the mean of a square around it, else white. `share` is the square's side as a part
 * of the picture's shorter side. Uneven light, glare and shadows hardly change a pixel's difference to its neighbours.
 */
export function localMean(view: View, share: number): View {
  const { width, height, data } = view.luma
  const reach = Math.max(2, Math.round((Math.min(width, height) * share) / 2))
  // The sum of each column over the surrounding rows, with `reach` empty columns on either side.
  const columns = new Uint32Array(width + 2 * reach)
  const add = (y: number, sign: number) => {
    if (y < 0 || y >= height) return
    for (let x = 0, at = y * width; x < width; x++, at++)
      columns[x + reach] = (columns[x + reach] ?? 0) + sign * (data[at] ?? 0)
  }
  const across = Uint16Array.from({ length: width }, (_, x) => Math.min(width, x + reach + 1) - Math.max(0, x - reach))
  const out = new Uint8Array(width * height)
  for (let y = 0; y < reach; y++) add(y, 1)
  for (let y = 0, at = 0; y < height; y++) {
    add(y + reach, 1)
    add(y - reach - 1, -1)
    const down = Math.min(height, y + reach + 1) - Math.max(0, y - reach)
    let sum = 0
    for (let x = 0; x < 2 * reach; x++) sum += columns[x] ?? 0
    for (let x = 0; x < width; x++, at++) {
      sum += columns[x + 2 * reach] ?? 0
      out[at] = (data[at] ?? 0) * down * (across[x] ?? 0) > sum ? 255 : 0
      sum -= columns[x] ?? 0
    }
  }
  return { ...view, luma: { width, height, data: out } }
}

/** Formats whose first plane is the brightness. */
const LIGHT_FIRST: ReadonlySet<string> = new Set(['I420', 'I420A', 'I422', 'I444', 'NV12'])

const isVideoFrame = (source: NativeSource): source is VideoFrame =>
  typeof VideoFrame !== 'undefined' && source instanceof VideoFrame

const isPixels = (source: NativeSource): source is ImageData => 'data' in source

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

function isUpright(frame: VideoFrame): boolean {
  const { rotation = 0, flip = false } = frame as { rotation?: number; flip?: boolean }
  return rotation === 0 && !flip && frame.visibleRect?.width === frame.displayWidth
}

function drawn(source: ImageBitmap | VideoFrame, { width, height }: { width: number; height: number }): Luma {
  const context = contextFor(width, height)
  context.drawImage(source, 0, 0, width, height)
  return lumaOfRgba(context.getImageData(0, 0, width, height))
}

const getFrameSize = (source: NativeSource): { width: number; height: number } =>
  isVideoFrame(source) ? { width: source.displayWidth, height: source.displayHeight } : source

async function extractLuma(source: NativeSource): Promise<Luma> {
  if (isPixels(source)) return lumaOfRgba(source)
  if (isVideoFrame(source) && source.format && LIGHT_FIRST.has(source.format) && isUpright(source)) {
    return firstPlane(source)
  }
  return drawn(source, getFrameSize(source))
}

export function buildFramePicture(source: NativeSource): Picture {
  let luma: Promise<Luma> | null = null
  return {
    ...getFrameSize(source),
    source,
    luma: () => {
      luma ??= extractLuma(source)
      return luma
    },
  }
}

/** Frees a frame's memory at once; camera frames come from a small pool. */
export function releaseFrame(source: NativeSource): void {
  if (!isPixels(source)) source.close()
}
