import { BLOCK, blockFrom, DATA } from './correction.ts'
import type { Luma } from './luma.ts'
import { type Corners, isTicketText, TICKET_SIDE } from './reading.ts'

/**
 * Reads a ticket's code whose place is known although a reader gave up on it. A ticket is always a version 5-M symbol, so
 * the fixed marks say how it lies and bends, and each module's certainty says which codewords to leave out: error
 * correction replaces twice as many missing codewords as wrong ones.
 */

const SIDE = TICKET_SIDE
const HALF = SIDE / 2
/** Blocks of codewords, which stand by turns. */
const BLOCKS = 2

// ---- The symbol ----

interface Mark {
  x: number
  y: number
  isDark: boolean
}

const finderAt = (left: number, top: number): Mark[] =>
  Array.from({ length: 64 }, (_, i) => {
    const [x, y] = [(left === 0 ? 0 : SIDE - 8) + (i % 8), (top === 0 ? 0 : SIDE - 8) + Math.floor(i / 8)]
    const ring = Math.max(Math.abs(x - left - 3), Math.abs(y - top - 3))
    return { x, y, isDark: ring !== 2 && ring !== 4 }
  })
const line = (at: (i: number) => { x: number; y: number }): Mark[] =>
  Array.from({ length: SIDE - 16 }, (_, i) => ({ ...at(i + 8), isDark: i % 2 === 0 }))

/** The marks by groups; each counts by itself, so that one under glare or a thumb takes only its own share. */
const MARKS: readonly (readonly Mark[])[] = [
  finderAt(0, 0),
  finderAt(SIDE - 7, 0),
  finderAt(0, SIDE - 7),
  line((i) => ({ x: i, y: 6 })),
  line((i) => ({ x: 6, y: i })),
  Array.from({ length: 25 }, (_, i) => {
    const [dx, dy] = [(i % 5) - 2, Math.floor(i / 5) - 2]
    return { x: 30 + dx, y: 30 + dy, isDark: Math.max(Math.abs(dx), Math.abs(dy)) !== 1 }
  }),
]

const isFunction = (x: number, y: number): boolean =>
  (x < 9 && y < 9) ||
  (x >= SIDE - 8 && y < 9) ||
  (x < 9 && y >= SIDE - 8) ||
  x === 6 ||
  y === 6 ||
  (Math.abs(x - 30) <= 2 && Math.abs(y - 30) <= 2)

/** Index of the module of each data bit, in the order in which the bits are placed. */
const PLACES: readonly number[] = (() => {
  const places: number[] = []
  for (let right = SIDE - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right -= 1
    for (let i = 0; i < SIDE; i++) {
      const y = isUp ? SIDE - 1 - i : i
      for (const x of [right, right - 1]) if (!isFunction(x, y)) places.push(y * SIDE + x)
    }
  }
  return places
})()

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** The 15 bits that say level M and the mask, highest first. */
const FORMATS: readonly number[] = MASKS.map((_, mask) => {
  let rest = mask << 10
  for (let bit = 14; bit >= 10; bit--) if ((rest >> bit) & 1) rest ^= 0x537 << (bit - 10)
  return ((mask << 10) | rest) ^ 0x5412
})
/** Modules of the format's bits from the lowest, twice. */
const FORMAT_PLACES: readonly (readonly [number, number])[] = [
  ...Array.from({ length: 15 }, (_, i): [number, number] => [8, i < 6 ? i : i < 8 ? i + 1 : SIDE - 15 + i]),
  ...Array.from({ length: 15 }, (_, i): [number, number] => [i < 8 ? SIDE - 1 - i : i === 8 ? 7 : 14 - i, 8]),
]

// ---- Where the modules lie ----

/** How the grid lies: eight corner coordinates in pixels, then the bend of rows and columns and their lean, in modules. */
type Pose = Float64Array
const CORNERS = 8
const POSE = 12

type Nine = readonly number[]

/** The projection of the grid's square (in modules, 0 to 37) to the corners. */
function projection(pose: Pose): Nine {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = pose
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2]
  const [dx, dy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3]
  const det = dx1 * dy2 - dx2 * dy1
  const g = (dx * dy2 - dx2 * dy) / det
  const h = (dx1 * dy - dx * dy1) / det
  return [x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h]
}

/** Light at places of the grid, interpolated between pixels. */
function sampler({ width, height, data }: Luma, pose: Pose): (x: number, y: number) => number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = projection(pose)
  const [rows = 0, columns = 0, leanRows = 0, leanColumns = 0] = pose.subarray(CORNERS)
  return (x, y) => {
    const [p, q] = [x / HALF - 1, y / HALF - 1]
    const [bowRow, bowColumn] = [p * p - 1, q * q - 1]
    const u = (x + bowColumn * (columns + leanColumns * p)) / SIDE
    const v = (y + bowRow * (rows + leanRows * q)) / SIDE
    const w = g * u + h * v + 1
    const px = Math.min(width - 1.001, Math.max(0, (a * u + b * v + c) / w - 0.5))
    const py = Math.min(height - 1.001, Math.max(0, (d * u + e * v + f) / w - 0.5))
    const [left, top] = [Math.floor(px), Math.floor(py)]
    const [fx, fy] = [px - left, py - top]
    const at = top * width + left
    const upper = (data[at] ?? 0) * (1 - fx) + (data[at + 1] ?? 0) * fx
    const lower = (data[at + width] ?? 0) * (1 - fx) + (data[at + width + 1] ?? 0) * fx
    return upper * (1 - fy) + lower * fy
  }
}

/** How well the marks agree with the picture, by groups: 1 = wholly, -1 = inverted. */
function agreementOf(luma: Luma, pose: Pose): number[] {
  const light = sampler(luma, pose)
  return MARKS.map((marks) => {
    let [sum, squares, product, dark] = [0, 0, 0, 0]
    for (const { x, y, isDark } of marks) {
      const value = light(x + 0.5, y + 0.5)
      sum += value
      squares += value * value
      if (isDark) {
        product += value
        dark += 1
      }
    }
    const count = marks.length
    const spread = Math.sqrt(Math.max(1, squares - (sum * sum) / count) * dark * (1 - dark / count))
    return (sum * dark) / count / spread - product / spread
  })
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** The least gain in agreement for which another step is taken; also refuses what is no number. */
const WORTH = 0.003

/** Moves corners and bend by ever smaller steps while the marks agree better. */
function settled(luma: Luma, from: Pose, sign: number): Pose {
  const module = Math.hypot((from[2] ?? 0) - (from[0] ?? 0), (from[3] ?? 0) - (from[1] ?? 0)) / SIDE
  const fit = (pose: Pose) => sign * total(agreementOf(luma, pose))
  let best = from
  let bestFit = fit(best)
  const trial = (change: (pose: Pose) => void) => {
    const pose = best.slice()
    change(pose)
    const value = fit(pose)
    if (!(value > bestFit + WORTH)) return false
    best = pose
    bestFit = value
    return true
  }
  // The bend first and coarsely: between its right values and none lie others that agree with nothing.
  for (const rows of [-2.4, -1.6, -0.8, 0.8, 1.6, 2.4]) trial((pose) => pose.set([rows, 0], CORNERS))
  for (const columns of [-1.6, -0.8, 0.8, 1.6]) trial((pose) => pose.set([0, columns], CORNERS))
  for (const step of [1, 0.5, 0.25, 0.12]) {
    for (let round = 0, isBetter = true; isBetter && round < 4; round++) {
      isBetter = false
      for (let at = 0; at < POSE; at++) {
        const by = at < CORNERS ? step * module : step
        for (const way of [by, -by]) {
          while (
            trial((pose) => {
              pose[at] = (pose[at] ?? 0) + way
            })
          )
            isBetter = true
        }
      }
    }
  }
  return best
}

// ---- What the modules say ----

/** Each module's light: the mean of five points in its middle. */
function modulesOf(luma: Luma, pose: Pose, sign: number): Float64Array {
  const light = sampler(luma, pose)
  return Float64Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [x, y] = [(i % SIDE) + 0.5, Math.floor(i / SIDE) + 0.5]
    const sum =
      2 * light(x, y) +
      light(x - 0.2, y - 0.2) +
      light(x + 0.2, y - 0.2) +
      light(x - 0.2, y + 0.2) +
      light(x + 0.2, y + 0.2)
    return (sign * sum) / 6
  })
}

interface Look {
  /** Modules around one whose mean it is compared with, to each side. */
  reach: number
  /** How much of each neighbour's light has come over and is taken off. */
  spill: number
}

const LOOKS: readonly Look[] = [
  { reach: 4, spill: 0.22 },
  { reach: 4, spill: 0 },
  { reach: 4, spill: 0.36 },
]

/** Values of the modules in a square around one. */
function around(values: Float64Array, i: number, reach: number): number[] {
  const [x, y] = [i % SIDE, Math.floor(i / SIDE)]
  const found: number[] = []
  for (let row = Math.max(0, y - reach); row <= Math.min(SIDE - 1, y + reach); row++)
    for (let column = Math.max(0, x - reach); column <= Math.min(SIDE - 1, x + reach); column++)
      found.push(values[row * SIDE + column] ?? 0)
  return found
}

/** Above 0 = dark, below = light; the further from 0 the surer. */
function certainties(modules: Float64Array, { reach, spill }: Look): Float64Array {
  const at = (x: number, y: number) =>
    modules[Math.min(SIDE - 1, Math.max(0, y)) * SIDE + Math.min(SIDE - 1, Math.max(0, x))] ?? 0
  const sharp = modules.map((value, i) => {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)]
    return value + spill * (4 * value - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1))
  })
  return sharp.map((value, i) => {
    const near = around(sharp, i, reach)
    return total(near) / near.length - value
  })
}

/** The likeliest mask by both places of the format, and the next one if it is nearly as likely. */
function masksOf(certain: Float64Array): number[] {
  const likeness = FORMATS.map((format) =>
    FORMAT_PLACES.reduce((sum, [x, y], i) => {
      const value = Math.max(-40, Math.min(40, certain[y * SIDE + x] ?? 0))
      return sum + ((format >> (i % 15)) & 1 ? value : -value)
    }, 0),
  )
  const [best = 0, next = 0] = Array.from(MASKS.keys()).sort((a, b) => (likeness[b] ?? 0) - (likeness[a] ?? 0))
  return (likeness[next] ?? 0) > 0.6 * (likeness[best] ?? 0) ? [best, next] : [best]
}

// ---- Text ----

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'
const ALPHANUMERIC = 2

/** The text of a symbol's data codewords, if it is one alphanumeric segment. */
function textOf(data: Uint8Array): string | null {
  let at = 0
  const bits = (count: number) => {
    let value = 0
    for (let i = 0; i < count; i++, at++) value = (value << 1) | (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1)
    return value
  }
  if (bits(4) !== ALPHANUMERIC) return null
  const length = bits(9)
  let text = ''
  while (text.length + 1 < length) {
    const pair = bits(11)
    text += ALPHABET.charAt(Math.floor(pair / 45)) + ALPHABET.charAt(pair % 45)
  }
  return text.length < length ? text + ALPHABET.charAt(bits(6)) : text
}

function textWith(certain: Float64Array, mask: number): string | null {
  const isFlipped = MASKS[mask]
  if (!isFlipped) return null
  const data: number[] = []
  for (let block = 0; block < BLOCKS; block++) {
    const codewords = new Uint8Array(BLOCK)
    const certainty = new Float64Array(BLOCK * 8)
    for (let i = 0; i < BLOCK * 8; i++) {
      const word = i >> 3
      const place = PLACES[(word * BLOCKS + block) * 8 + (i & 7)] ?? 0
      const value = certain[place] ?? 0
      const isOne = value > 0 !== isFlipped(place % SIDE, Math.floor(place / SIDE))
      codewords[word] = ((codewords[word] ?? 0) << 1) | (isOne ? 1 : 0)
      certainty[i] = Math.abs(value)
    }
    const whole = blockFrom(codewords, certainty)
    if (!whole) return null
    data.push(...whole.subarray(0, DATA))
  }
  const text = textOf(Uint8Array.from(data))
  return text !== null && isTicketText(text) ? text : null
}

/** The least sum of six groups' agreement at which the place is taken for a ticket's. */
const LIKE_A_TICKET = 2.2

/** The places most like a ticket's, the likest first. */
export function likest(luma: Luma, places: readonly Corners[], most: number): Corners[] {
  return places
    .map((corners) => ({ corners, likeness: Math.abs(total(agreementOf(luma, poseOf(corners)))) }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, most)
    .map(({ corners }) => corners)
}

function poseOf(corners: Corners): Pose {
  const pose = new Float64Array(POSE)
  pose.set(corners.flatMap(({ x, y }) => [x, y]))
  return pose
}

/** The ticket's text at the place a reader suspected one, and where it truly lies; null if it cannot be read. */
export function readAt(luma: Luma, corners: Corners): { text: string; corners: Corners } | null {
  const from = poseOf(corners)
  const sign = total(agreementOf(luma, from)) < 0 ? -1 : 1
  const pose = settled(luma, from, sign)
  if (sign * total(agreementOf(luma, pose)) < LIKE_A_TICKET) return null
  const modules = modulesOf(luma, pose, sign)
  for (const look of LOOKS) {
    const certain = certainties(modules, look)
    for (const mask of masksOf(certain)) {
      const text = textWith(certain, mask)
      if (text !== null) {
        const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = pose
        return {
          text,
          corners: [
            { x: x0, y: y0 },
            { x: x1, y: y1 },
            { x: x2, y: y2 },
            { x: x3, y: y3 },
          ],
        }
      }
    }
  }
  return null
}
