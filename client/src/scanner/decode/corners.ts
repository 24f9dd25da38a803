import { type Luma, localMean, mapLight, softenView, toView } from './luma.ts'
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

interface Runs {
  a: number
  b: number
  c: number
  d: number
  e: number
}

/** On black, the outer ring of a mark at a code's edge runs on into the black beside it, for at least this many modules. */
const RUN_ON = 3

/** The width of a module if the runs are as 1:1:3:1:1, else null. `onBlack`: one outer run may go on into black. */
function measureModule({ a, b, c, d, e }: Runs, onBlack: boolean): number | null {
  const runsOn = onBlack && Math.max(a, e) > (RUN_ON * (b + c + d)) / 5
  const module = runsOn ? (b + c + d + Math.min(a, e)) / 6 : (a + b + c + d + e) / 7
  const slack = SLACK * module
  const isMark =
    module >= SMALLEST &&
    Math.abs(c - 3 * module) < 2 * slack &&
    Math.abs(Math.min(a, e) - module) < slack &&
    (runsOn || Math.abs(Math.max(a, e) - module) < slack) &&
    Math.abs(b - module) < slack &&
    Math.abs(d - module) < slack
  return isMark ? module : null
}

/** The five runs through a dark pixel in one direction, and how far away their centre is; null if they do not form a mark. */
function runsThrough(
  { width, height, data }: Luma,
  { at, onBlack }: { at: Point; onBlack: boolean },
  [dx, dy]: readonly [number, number],
) {
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
  const module = measureModule({ a: f, b: e, c: a + d - 1, d: b, e: c }, onBlack)
  return module === null ? null : { module, beside: (a - d) / 2 }
}

function detectCornerMarks(picture: Luma, onBlack = false): CornerMark[] {
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
      if (data[at - 1] !== 0 || runs.a === 0 || measureModule(runs, onBlack) === null) continue
      const middle = { x: Math.floor(x - runs.e - runs.d - runs.c / 2), y }
      addCornerMark(marks, picture, { at: middle, onBlack })
    }
  }
  return marks.sort((a, b) => b.seen - a.seen).slice(0, MARKS_MOST)
}

function addCornerMark(marks: CornerMark[], picture: Luma, { at, onBlack }: { at: Point; onBlack: boolean }): void {
  const upright = runsThrough(picture, { at, onBlack }, [0, 1])
  if (!upright) return
  const middle = { x: at.x, y: Math.round(at.y + upright.beside) }
  const level = runsThrough(picture, { at: middle, onBlack }, [1, 0])
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

function listSquares(a: CornerMark, b: CornerMark): Corners[] {
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
  const view = toView(luma)
  const marks = detectCornerMarks(localMean(turn % 2 === 0 ? softenView(view, 2) : view, 0.04).luma)
  return marks.flatMap((a, i) => marks.slice(i + 1).flatMap((b) => listSquares(a, b)))
}

/** Darker than this is black where a code without a quiet zone lies on a dark ground. */
const BLACK = 100

/** Modules from a mark's centre to the edges of a code of any version. */
const TO_EDGE = 3.5

/**
 * The picture with white around a code that was cut at its edges and lies on black, which hides the outer rings of its corner marks.
 * Null unless all three are seen.
 */
export function clearAroundCode(luma: Luma): Luma | null {
  const blackened = mapLight(luma, (light) => (light < BLACK ? 0 : 255))
  const corner = findRightAngle(detectCornerMarks(blackened, true))
  if (corner === null) return null
  const { a, b, c } = corner
  const across = { x: b.x - a.x, y: b.y - a.y }
  const down = { x: c.x - a.x, y: c.y - a.y }
  const det = across.x * down.y - across.y * down.x
  const margin = TO_EDGE / corner.modules
  const isInside = (share: number) => share > -margin && share < 1 + margin
  const data = new Uint8Array(luma.data.length).fill(255)
  for (let i = 0, y = -a.y; i < data.length; y++) {
    // How far along the code's two sides the row's pixels lie.
    let [first, second] = [(-a.x * down.y - y * down.x) / det, (y * across.x + a.x * across.y) / det]
    for (const end = i + luma.width; i < end; i++) {
      if (isInside(first) && isInside(second)) data[i] = luma.data[i] ?? 0
      first += down.y / det
      second -= across.y / det
    }
  }
  return { ...luma, data }
}

/** Three marks of one code, `a` between the others, and the modules from it to them. */
function findRightAngle(marks: readonly CornerMark[]) {
  for (const a of marks)
    for (const b of marks)
      for (const c of marks) {
        const [bx, by, cx, cy] = [b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y]
        const [toB, toC] = [Math.hypot(bx, by), Math.hypot(cx, cy)]
        const isTurned = bx * cy - by * cx > 0.9 * toB * toC
        if (isTurned && Math.abs(toB - toC) < 0.15 * toB)
          return { a, b, c, modules: ((toB + toC) * 3) / (2 * (a.module + b.module + c.module)) }
      }
  return null
}
