import { type Luma, localMean, softened, whole } from './luma.ts'
import { type Corners, MARKS_APART, type Point, TICKET_SIDE } from './reading.ts'

/**
 * Finds where a ticket may lie when a reader saw none because one of its three corner marks (finder patterns) is torn off,
 * covered or under glare. Any two of them give the square, except on which side of them it lies.
 */

/** A corner mark: its centre and the width of a module, in pixels, and the number of rows in which it was seen. */
interface CornerMark extends Point {
  module: number
  seen: number
}

const APART = MARKS_APART
/** Modules from a mark's centre to the corner of the code. */
const INSET = (TICKET_SIDE - MARKS_APART) / 2
const MARKS_MOST = 6
/** How far the width of a run in a mark may be off, in modules. */
const SLACK = 0.75
const SMALLEST = 1.4

/** Five runs of dark and light, dark first. */
interface Runs {
  a: number
  b: number
  c: number
  d: number
  e: number
}

/** The width of a module if the runs are as 1:1:3:1:1, else null. */
function moduleOf({ a, b, c, d, e }: Runs): number | null {
  const module = (a + b + c + d + e) / 7
  const slack = SLACK * module
  const isMark =
    module >= SMALLEST &&
    Math.abs(c - 3 * module) < 2 * slack &&
    Math.abs(a - module) < slack &&
    Math.abs(b - module) < slack &&
    Math.abs(d - module) < slack &&
    Math.abs(e - module) < slack
  return isMark ? module : null
}

/** The five runs through a dark pixel in one direction, and how far away their centre is; null if they do not form a mark. */
function runsThrough({ width, height, data }: Luma, at: Point, [dx, dy]: readonly [number, number]) {
  const isInside = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height
  const isDark = (x: number, y: number) => data[y * width + x] === 0
  const arm = (way: number): number[] => {
    const lengths = [0, 0, 0]
    let [x, y] = [at.x, at.y]
    for (let part = 0; part < 3; part++) {
      while (isInside(x, y) && isDark(x, y) === (part !== 1) && (lengths[part] ?? 0) < 200) {
        lengths[part] = (lengths[part] ?? 0) + 1
        x += dx * way
        y += dy * way
      }
    }
    return lengths
  }
  const [[a = 0, b = 0, c = 0], [d = 0, e = 0, f = 0]] = [arm(1), arm(-1)]
  const module = moduleOf({ a: f, b: e, c: a + d - 1, d: b, e: c })
  return module === null ? null : { module, beside: (a - d) / 2 }
}

/** The corner marks of a black-and-white picture, those seen most often first. */
function marksOf(picture: Luma): CornerMark[] {
  const { width, height, data } = picture
  const marks: CornerMark[] = []
  for (let y = 1; y < height; y += 2) {
    const runs = { a: 0, b: 0, c: 0, d: 0, e: 0 }
    for (let x = 1, from = 0; x <= width; x++) {
      const at = y * width + x
      if (x < width && data[at] === data[at - 1]) continue
      runs.a = runs.b
      runs.b = runs.c
      runs.c = runs.d
      runs.d = runs.e
      runs.e = x - from
      from = x
      if (data[at - 1] !== 0 || runs.a === 0 || moduleOf(runs) === null) continue
      noteMark(marks, picture, { x: Math.floor(x - runs.e - runs.d - runs.c / 2), y })
    }
  }
  return marks.sort((a, b) => b.seen - a.seen).slice(0, MARKS_MOST)
}

function noteMark(marks: CornerMark[], picture: Luma, at: Point): void {
  const upright = runsThrough(picture, at, [0, 1])
  if (!upright) return
  const middle = { x: at.x, y: Math.round(at.y + upright.beside) }
  const level = runsThrough(picture, middle, [1, 0])
  if (!level || level.module > 1.7 * upright.module || upright.module > 1.7 * level.module) return
  const [x, module] = [middle.x + level.beside, (level.module + upright.module) / 2]
  const known = marks.find((mark) => Math.hypot(mark.x - x, mark.y - middle.y) < 2 * module)
  if (known) known.seen += 1
  else marks.push({ x, y: middle.y, module, seen: 1 })
}

/** The square that has a and b as corner marks in neighbouring corners and lies to the right of the line from a to b. */
function squareFrom(a: Point, b: Point): [Point, Point, Point, Point] {
  const [ux, uy] = [(b.x - a.x) / APART, (b.y - a.y) / APART]
  const at = (along: number, aside: number) => ({
    x: a.x + along * ux - aside * uy,
    y: a.y + along * uy + aside * ux,
  })
  const far = APART + INSET
  return [at(-INSET, -INSET), at(far, -INSET), at(far, far), at(-INSET, far)]
}

/** The squares in which two marks can belong to one ticket. */
function squaresOf(a: CornerMark, b: CornerMark): Corners[] {
  const ratio = a.module / b.module
  if (ratio < 0.6 || ratio > 1.67) return []
  const modules = (2 * Math.hypot(a.x - b.x, a.y - b.y)) / (a.module + b.module)
  // A row across a rotated mark makes it look up to 1.4 times as wide.
  if (modules > APART * 0.62 && modules < APART * 1.2) {
    return [squareFrom(a, b), squareFrom(b, a)].flatMap((square): Corners[] => {
      const [p, q, r, s] = square
      // The marks are top left and top right, or bottom left and top left.
      return [
        [p, q, r, s],
        [q, r, s, p],
      ]
    })
  }
  if (modules > APART * 0.9 && modules < APART * 1.7) {
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
    // The top left mark is a quarter turn about the middle away, to one side or the other.
    return [a, b].map((from): Corners => {
      const corner = { x: middle.x + (from.y - middle.y), y: middle.y - (from.x - middle.x) }
      return squareFrom(corner, from)
    })
  }
  return []
}

/**
 * Squares in which a ticket may lie, from each pair of marks. Softened and original pictures alternate: small codes need the
 * original.
 */
export function squaresIn(luma: Luma, turn: number): Corners[] {
  const view = whole(luma)
  const marks = marksOf(localMean(turn % 2 === 0 ? softened(view, 2) : view, 0.04).luma)
  return marks.flatMap((a, i) => marks.slice(i + 1).flatMap((b) => squaresOf(a, b)))
}
