/** After this long without a code, a touch or movement (ms) the scanner rests. */
export const REST_AFTER_MS = 120_000
/** From one reading of a resting scanner to the next (ms). */
const READING_MS = 1_000
/** How often a resting scanner sees whether anything moves (ms): who comes must not wait for the next reading. */
export const MOVEMENT_MS = 250

/** The picture is compared by the mean light of these cells, in which the noise of a dark place evens out. */
const [COLUMNS, ROWS, CELL] = [16, 9, 8] as const
/** What a cell's light must change by, of 255, and how many cells, for somebody to have come. */
const [CHANGE, CELLS] = [12, 2] as const

/** The mean light of each cell of a picture in RGBA, COLUMNS times ROWS cells of CELL times CELL pixels. */
export function lightOfCells(rgba: Uint8ClampedArray): number[] {
  const sums = new Array<number>(COLUMNS * ROWS).fill(0)
  for (let i = 0; i < rgba.length; i += 4) {
    const at = i / 4
    const [x, y] = [at % (COLUMNS * CELL), Math.floor(at / (COLUMNS * CELL))]
    const cell = Math.floor(y / CELL) * COLUMNS + Math.floor(x / CELL)
    sums[cell] = (sums[cell] ?? 0) + ((rgba[i] ?? 0) + 2 * (rgba[i + 1] ?? 0) + (rgba[i + 2] ?? 0)) / 4
  }
  return sums.map((sum) => sum / CELL ** 2)
}

export const hasMoved = (before: readonly number[], after: readonly number[]): boolean =>
  after.filter((light, cell) => Math.abs(light - (before[cell] ?? light)) > CHANGE).length >= CELLS

let canvas: CanvasRenderingContext2D | null = null

function cellsOf(video: HTMLVideoElement): number[] {
  canvas ??= Object.assign(document.createElement('canvas'), {
    width: COLUMNS * CELL,
    height: ROWS * CELL,
  }).getContext('2d', { willReadFrequently: true })
  if (canvas === null) return []
  canvas.imageSmoothingQuality = 'medium'
  canvas.drawImage(video, 0, 0, COLUMNS * CELL, ROWS * CELL)
  return lightOfCells(canvas.getImageData(0, 0, COLUMNS * CELL, ROWS * CELL).data)
}

/**
 * Whether the scanner rests, to spare battery and heat while nobody comes. Times are of `performance.now()`. `onRest` is called when
 * that changes.
 */
export function createRest(onRest: (isResting: boolean) => void) {
  let quietSince = performance.now()
  let isResting = false
  let cells: readonly number[] = []
  let readAt = 0
  const set = (on: boolean) => {
    if (isResting === on) return
    isResting = on
    cells = []
    onRest(on)
  }
  const wake = () => {
    quietSince = performance.now()
    set(false)
  }
  return {
    wake,
    isResting: () => isResting,
    /** Whether to read this frame. Begins the rest when its time has come, and ends it when something moves. */
    reads(video: HTMLVideoElement): boolean {
      const now = performance.now()
      if (!isResting) {
        set(now - quietSince >= REST_AFTER_MS)
        return true
      }
      const after = cellsOf(video)
      if (hasMoved(cells, after)) wake()
      else cells = after
      if (isResting && now - readAt < READING_MS) return false
      readAt = now
      return true
    },
  }
}
