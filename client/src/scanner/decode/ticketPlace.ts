import type { Luma } from './luma.ts'
import { type Corners, TICKET_SIDE } from './reading.ts'

/** Locates a ticket's modules: first by the marks that every ticket has, then by the edges between all its modules. */

const SIDE = TICKET_SIDE
const HALF = SIDE / 2

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

/** The marks in groups that count separately, so that glare or a thumb takes only the groups that it covers. */
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

/** How the grid lies: eight corner coordinates in pixels, then the bend of rows and columns and their lean, in modules. */
type Pose = readonly number[]
const CORNERS = 8
const FLAT = [0, 0, 0, 0]

interface Pixel {
  x: number
  y: number
}

/**
 * Returns a function that writes the pixel at a grid position (in modules, 0 to 37) into `to`. It runs a million times
 * a frame.
 */
function pixels(pose: Pose): (x: number, y: number, to: Pixel) => Pixel {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = pose
  const [rows = 0, columns = 0, leanRows = 0, leanColumns = 0] = pose.slice(CORNERS)
  // The projection that maps the unit square to the corners.
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2]
  const [dx, dy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3]
  const det = dx1 * dy2 - dx2 * dy1
  const g = (dx * dy2 - dx2 * dy) / det
  const h = (dx1 * dy - dx * dy1) / det
  const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3]
  return (x, y, to) => {
    const p = x / HALF - 1
    const q = y / HALF - 1
    const u = (x + (q * q - 1) * (columns + leanColumns * p)) / SIDE
    const v = (y + (p * p - 1) * (rows + leanRows * q)) / SIDE
    const w = g * u + h * v + 1
    to.x = (a * u + b * v + x0) / w
    to.y = (d * u + e * v + y0) / w
    return to
  }
}

function sampler({ width, height, data }: Luma, pose: Pose): (x: number, y: number) => number {
  const place = pixels(pose)
  const pixel = { x: 0, y: 0 }
  return (x, y) => {
    place(x, y, pixel)
    const px = Math.min(width - 1.001, Math.max(0, pixel.x - 0.5))
    const py = Math.min(height - 1.001, Math.max(0, pixel.y - 0.5))
    const left = Math.floor(px)
    const top = Math.floor(py)
    const fx = px - left
    const at = top * width + left
    const upper = (data[at] ?? 0) * (1 - fx) + (data[at + 1] ?? 0) * fx
    const lower = (data[at + width] ?? 0) * (1 - fx) + (data[at + width + 1] ?? 0) * fx
    return upper + (lower - upper) * (py - top)
  }
}

/** How well each group of marks agrees with the picture: 1 = fully, -1 = inverted. */
function measureAgreement(luma: Luma, pose: Pose): number[] {
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

/** How well a pose agrees with the marks, up to 6. A mark that agrees fully counts more than two that agree by half. */
const likeness = (luma: Luma, pose: Pose, sign: number): number =>
  measureAgreement(luma, pose).reduce((sum, value) => sum + Math.max(0, sign * value) ** 3, 0)

/** -1 if the picture is inverted. The timing patterns cannot tell: shifted by one module they look inverted too. */
function signAt(luma: Luma, pose: Pose): number {
  const [a = 0, b = 0, c = 0, , , middle = 0] = measureAgreement(luma, pose)
  return a + b + c + middle < 0 ? -1 : 1
}

/** The minimum gain in likeness for another step. The comparison with it also rejects NaN. */
const WORTH = 0.003

/** How much likelier a bend must make a pose, because covered marks also agree better with a bend. */
const BEND_WORTH = 0.3
const BENDS = [
  ...[-2.4, -1.6, -0.8, 0.8, 1.6, 2.4].map((rows) => [rows, 0, 0, 0]),
  ...[-1.6, -0.8, 0.8, 1.6].map((columns) => [0, columns, 0, 0]),
]

function refinePose(luma: Luma, from: Pose, sign: number): Pose {
  const flat = nearest(luma, from, { sign, count: CORNERS })
  // The bend is tried first and in coarse steps, because the values between flat and the right bend agree with nothing.
  const like = (pose: Pose) => likeness(luma, pose, sign)
  const tried = BENDS.map((bend) => [...from.slice(0, CORNERS), ...bend])
  const start = tried.reduce((best, pose) => (like(pose) > like(best) + WORTH ? pose : best), from)
  if (start === from) return flat
  const bent = nearest(luma, start, { sign, count: from.length })
  // The bend may only have helped the search around an obstacle.
  const again = nearest(luma, [...bent.slice(0, CORNERS), ...FLAT], { sign, count: CORNERS })
  const flatter = like(again) > like(flat) ? again : flat
  return like(bent) > like(flatter) + BEND_WORTH ? bent : flatter
}

/** Moves the corners, and the bend if `count` covers it, in ever smaller steps while the agreement improves. */
function nearest(luma: Luma, from: Pose, { sign, count }: { sign: number; count: number }): Pose {
  const module = Math.hypot((from[2] ?? 0) - (from[0] ?? 0), (from[3] ?? 0) - (from[1] ?? 0)) / SIDE
  let best = from
  let bestFit = likeness(luma, best, sign)
  const trial = (pose: Pose) => {
    const value = likeness(luma, pose, sign)
    if (!(value > bestFit + WORTH)) return false
    best = pose
    bestFit = value
    return true
  }
  for (const step of [1, 0.5, 0.25, 0.12]) {
    for (let round = 0, isBetter = true; isBetter && round < 4; round++) {
      isBetter = false
      for (let at = 0; at < count; at++) {
        const by = at < CORNERS ? step * module : step
        for (const way of [by, -by]) while (trial(best.with(at, (best[at] ?? 0) + way))) isBetter = true
      }
    }
  }
  return best
}

/** Samples of light per module, and the number of modules sampled beyond the edge. */
const FINE = 4
const BEYOND = 2
const WIDE = (SIDE + 2 * BEYOND) * FINE + 1

function finely(luma: Luma, pose: Pose, sign: number): Float32Array {
  const light = sampler(luma, pose)
  const fine = new Float32Array(WIDE * WIDE)
  for (let y = 0, i = 0; y < WIDE; y++)
    for (let x = 0; x < WIDE; x++, i++) fine[i] = sign * light(x / FINE - BEYOND, y / FINE - BEYOND)
  return fine
}

export function meansAround(values: ArrayLike<number>, reach: number): Float64Array {
  const stride = SIDE + 1
  const sums = new Float64Array(stride * stride)
  for (let y = 0; y < SIDE; y++) {
    let row = 0
    for (let x = 0; x < SIDE; x++) {
      row += values[y * SIDE + x] ?? 0
      sums[(y + 1) * stride + x + 1] = (sums[y * stride + x + 1] ?? 0) + row
    }
  }
  return Float64Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)]
    const [left, right] = [Math.max(0, x - reach), Math.min(SIDE, x + reach + 1)]
    const [top, bottom] = [Math.max(0, y - reach) * stride, Math.min(SIDE, y + reach + 1) * stride]
    const sum =
      (sums[bottom + right] ?? 0) - (sums[top + right] ?? 0) - (sums[bottom + left] ?? 0) + (sums[top + left] ?? 0)
    return sum / ((right - left) * ((bottom - top) / stride))
  })
}

/** How far the edges around each module are from where they should be, in modules, and the weight of that evidence. */
interface Drift {
  by: Float64Array
  weight: Float64Array
}

const DRIFT_REACH = 4
/** Share of the edges that must agree before their drift is believed. */
const PLAIN = 0.15

/** Light changes at the borders of modules, so their offset is the phase of a wave that is one module long. */
function measureDrift(fine: Float32Array, by: number, axis: (x: number, y: number) => number): Drift {
  const size = SIDE * SIDE
  const [cosine, sine, sum] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)]
  // Caps the energy, so that the edge of a scratch or tear counts no more than others.
  let most = 0
  for (let at = by; at < fine.length - by; at++) most += Math.abs((fine[at + by] ?? 0) - (fine[at - by] ?? 0))
  most = 4 * (most / fine.length) ** 2
  for (let y = 0; y < SIDE * FINE; y++) {
    for (let x = 0; x < SIDE * FINE; x++) {
      const at = (y + BEYOND * FINE) * WIDE + x + BEYOND * FINE
      const energy = Math.min(most, ((fine[at + by] ?? 0) - (fine[at - by] ?? 0)) ** 2)
      const module = (y >> 2) * SIDE + (x >> 2)
      const phase = axis(x, y) & 3
      sum[module] = (sum[module] ?? 0) + energy
      if (phase % 2 === 0) cosine[module] = (cosine[module] ?? 0) + (phase === 0 ? energy : -energy)
      else sine[module] = (sine[module] ?? 0) + (phase === 1 ? energy : -energy)
    }
  }
  const [c, s] = [meansAround(cosine, DRIFT_REACH), meansAround(sine, DRIFT_REACH)]
  const all = meansAround(sum, DRIFT_REACH)
  const plain = all.map((value, i) => Math.hypot(c[i] ?? 0, s[i] ?? 0) / (value + 1e-9))
  return {
    by: c.map((value, i) => (Math.atan2(s[i] ?? 0, value) / (2 * Math.PI)) * Math.min(1, (plain[i] ?? 0) / PLAIN)),
    weight: all.map((value, i) => value * (plain[i] ?? 0) ** 2),
  }
}
const measureDrifts = (fine: Float32Array): [Drift, Drift] => [
  measureDrift(fine, 1, (x) => x),
  measureDrift(fine, WIDE, (_, y) => y),
]

function drawn(pose: Pose, drifts: readonly [Drift, Drift]): Pose {
  const place = pixels(pose)
  return CORNERS_AT.flatMap(([cx, cy], corner) => {
    const [across = 0, down = 0] = drifts.map(({ by, weight }) => {
      let [sum, weights] = [0, 1e-9]
      for (let i = 0; i < by.length; i++) {
        const far = Math.abs((i % SIDE) / SIDE - cx)
        const near = (weight[i] ?? 0) * ((1 - far) * (1 - Math.abs(Math.floor(i / SIDE) / SIDE - cy))) ** NEAR
        sum += near * (by[i] ?? 0)
        weights += near
      }
      return sum / weights
    })
    const was = place(cx * SIDE, cy * SIDE, { x: 0, y: 0 })
    const is = place(cx * SIDE + across, cy * SIDE + down, { x: 0, y: 0 })
    return [(pose[2 * corner] ?? 0) + is.x - was.x, (pose[2 * corner + 1] ?? 0) + is.y - was.y]
  }).concat(pose.slice(CORNERS))
}
const CORNERS_AT = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const
const NEAR = 2
const ROUNDS = 2

function sampleModules(fine: Float32Array): Float64Array {
  const [across, down] = measureDrifts(fine)
  return Float64Array.from({ length: SIDE * SIDE }, (_, i) => {
    const x = (BEYOND + (i % SIDE) + 0.5 + (across.by[i] ?? 0)) * FINE
    const y = (BEYOND + Math.floor(i / SIDE) + 0.5 + (down.by[i] ?? 0)) * FINE
    const at = Math.round(y) * WIDE + Math.round(x)
    let sum = 2 * (fine[at] ?? 0)
    for (const beside of [-WIDE - 1, -WIDE + 1, WIDE - 1, WIDE + 1]) sum += fine[at + beside] ?? 0
    return sum / 6
  })
}

/** The minimum likeness of a place worth a closer look, of a ticket, and of a ticket that no other view would read better. */
const SUSPICIOUS = 0.6
const LIKE_A_TICKET = 2
const SURE = 2.8
/** Two marks fit four places, and a slant can make the wrong place likelier at first. */
const PLACES_MOST = 2

interface Ticket {
  /** Light of the modules, row by row and dark below light. */
  modules: Float64Array
  corners: Corners
  isSure: boolean
}

interface Place {
  pose: Pose
  sign: number
  like: number
}

export function findLikeliestTicket(luma: Luma, places: readonly Corners[]): Ticket | null {
  const ranked = places
    .map(toPose)
    .map((pose) => ({ pose, sign: signAt(luma, pose) }))
    .map((place): Place => ({ ...place, like: likeness(luma, place.pose, place.sign) }))
    .filter((place) => place.like >= SUSPICIOUS)
    .sort((a, b) => b.like - a.like)
  let best: Place | undefined
  for (const { pose, sign } of ranked.slice(0, PLACES_MOST)) {
    const refined = refinePose(luma, pose, sign)
    const place = { pose: refined, sign, like: likeness(luma, refined, sign) }
    if (!best || place.like > best.like) best = place
    if (best.like >= SURE) break
  }
  if (!best || best.like < LIKE_A_TICKET) return null
  const { sign } = best
  let { pose } = best
  for (let round = 0; round < ROUNDS; round++) pose = drawn(pose, measureDrifts(finely(luma, pose, sign)))
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = pose
  return {
    modules: sampleModules(finely(luma, pose, sign)),
    corners: [
      { x: x0, y: y0 },
      { x: x1, y: y1 },
      { x: x2, y: y2 },
      { x: x3, y: y3 },
    ],
    isSure: best.like >= SURE,
  }
}

const toPose = (corners: Corners): Pose => [...corners.flatMap(({ x, y }) => [x, y]), ...FLAT]
