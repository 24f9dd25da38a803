import type { QrSymbol } from './codes.ts'
import { type Damage, seenAt } from './damage.ts'
import { type Box, grown, type Plane } from './plane.ts'
import { type Pose, project } from './pose.ts'

/** A code on what carries it. Light values 0..1, lengths in modules unless said otherwise. */
export interface Card {
  symbol: QrSymbol
  pose: Pose
  /** Light of the code's two colours and of the surface around its quiet zone. */
  dark: number
  light: number
  surface: number
  quiet: number
  /** What the card reaches beyond the code, in code sides, counted from its centre. */
  halfWidth: number
  halfHeight: number
  /** The black rim of a phone, in code sides; 0 for paper. */
  rim: number
  /** A screen's own grid of pixels: `pitch` of them per code side, `depth` 0..1 of light lost between them. */
  grid: { pitch: number; depth: number }
  /** Dark bars rolling over a screen: period in camera rows, depth 0..1. */
  rolling: { period: number; depth: number; phase: number }
  /** Paper that bends: how far the middle stands out, in code sides. */
  bend: number
  damage: readonly Damage[]
  /** Ink that ran: how far dark modules grow into light ones, in modules. */
  bleed: number
  /** The code was filmed from another screen first: its picture's pixels per code side, how they lie, and their edges' depth. */
  refilmed: { pitch: number; turn: number; depth: number } | null
}

/** Light of the card at (u, v), in code sides from its centre; `under` beyond its edge. */
function lightAt(card: Card, at: { u: number; v: number; under: number }): number {
  if (card.damage.length === 0) return printedAt(card, at)
  const seen = seenAt(at, card.damage)
  return seen.light === undefined ? printedAt(card, { ...seen, under: at.under }) : (seen.light ?? at.under)
}

/** Whether a module is dark, or a dark neighbour's ink has reached this place in it. */
function isInked({ symbol: { side, dark }, bleed }: Card, x: number, y: number): boolean {
  const isDark = (column: number, row: number) =>
    column >= 0 && row >= 0 && column < side && row < side && dark[row * side + column] === 1
  const [column, row] = [Math.floor(x), Math.floor(y)]
  if (isDark(column, row)) return true
  if (bleed === 0) return false
  // Fibres carry the ink unevenly.
  const reach = bleed * (1 + 0.25 * Math.sin(x * 5.3 + y * 2.1) * Math.sin(y * 4.7 - x))
  return (
    (x - column < reach && isDark(column - 1, row)) ||
    (column + 1 - x < reach && isDark(column + 1, row)) ||
    (y - row < reach && isDark(column, row - 1)) ||
    (row + 1 - y < reach && isDark(column, row + 1))
  )
}

type Film = NonNullable<Card['refilmed']>

/** The first film's pixel at a place, each the light in its middle, and how much the gap between pixels leaves of it. */
function pixelAt({ pitch, turn, depth }: Film, { u, v }: { u: number; v: number }) {
  const [c, s] = [Math.cos(turn), Math.sin(turn)]
  const [x, y] = [(u * c + v * s) * pitch, (v * c - u * s) * pitch]
  const [px, py] = [(Math.floor(x) + 0.5) / pitch, (Math.floor(y) + 0.5) / pitch]
  const isGap = x - Math.floor(x) < 0.25 || y - Math.floor(y) < 0.25
  return { u: px * c - py * s, v: px * s + py * c, gap: isGap ? 1 - depth : 1 }
}

function printedAt(card: Card, place: { u: number; v: number; under: number }): number {
  const { under } = place
  const pixel = card.refilmed && pixelAt(card.refilmed, place)
  const { u, v: flat } = pixel ?? place
  const gap = pixel?.gap ?? 1
  const v = flat + card.bend * (u * u - 0.25)
  if (Math.abs(u) > card.halfWidth || Math.abs(v) > card.halfHeight) return under
  if (Math.abs(u) > card.halfWidth - card.rim || Math.abs(v) > card.halfHeight - card.rim) return 0.03
  const { side } = card.symbol
  const x = (u + 0.5) * side
  const y = (v + 0.5) * side
  const isCode = x >= -0.5 && y >= -0.5 && x < side + 0.5 && y < side + 0.5
  if (isCode) return gap * (isInked(card, x, y) ? card.dark : card.light)
  const quiet = card.quiet
  if (x >= -quiet && y >= -quiet && x < side + quiet && y < side + quiet) return card.light
  const written = v > 0.5 && Math.floor(v * 25) % 3 === 0 && Math.abs(u) < 0.45 && Math.floor(u * 40 + v * 90) % 4 !== 0
  return written ? 1 - card.surface : card.surface
}

function screenLight({ grid, rolling }: Card, at: { u: number; v: number; y: number }): number {
  const cells = Math.cos(2 * Math.PI * at.u * grid.pitch) + Math.cos(2 * Math.PI * at.v * grid.pitch)
  const bar = 0.5 + 0.5 * Math.cos((2 * Math.PI * at.y) / rolling.period + rolling.phase)
  return (1 - grid.depth * (0.5 - 0.25 * cells)) * (1 - rolling.depth * bar)
}

function boxOf({ pose, halfWidth, halfHeight }: Card): Box {
  const { toPixel } = project(pose)
  const corners = [-1, 1].flatMap((a) => [-1, 1].map((b) => toPixel(a * halfWidth, b * halfHeight)))
  const xs = corners.map(({ x }) => x)
  const ys = corners.map(({ y }) => y)
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

/** The code's own edges are averaged over 9 or 4 points of a pixel; the rest of the card shows no fine edges. */
function pointsPerSide(card: Card, u: number, v: number): number {
  if (Math.abs(u) > 0.62 || Math.abs(v) > 0.62) return 1
  return card.pose.size / card.symbol.side > 7 ? 2 : 3
}

/**
 * Draws the card by looking back from each pixel and says where it is. The code is averaged over the pixel's area (a lens
 * does), the screen's grid is sampled at its middle only (the sensor's own grid), which is where moire comes from.
 */
export function drawCard(plane: Plane, card: Card): Box {
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = project(card.pose).back
  const box = grown(boxOf(card), 1, plane)
  const isScreen = card.grid.depth > 0 || card.rolling.depth > 0
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const w = m6 * (x + 0.5) + m7 * (y + 0.5) + m8
      const u = (m0 * (x + 0.5) + m1 * (y + 0.5) + m2) / w
      const v = (m3 * (x + 0.5) + m4 * (y + 0.5) + m5) / w
      if (Math.abs(u) > card.halfWidth + 0.05 || Math.abs(v) > card.halfHeight + 0.1) continue
      const index = y * plane.width + x
      const under = plane.data[index] ?? 0
      const points = pointsPerSide(card, u, v)
      let sum = 0
      for (let row = 0; row < points; row++) {
        for (let column = 0; column < points; column++) {
          const px = x + (column + 0.5) / points
          const py = y + (row + 0.5) / points
          const pw = m6 * px + m7 * py + m8
          const at = { u: (m0 * px + m1 * py + m2) / pw, v: (m3 * px + m4 * py + m5) / pw, under }
          sum += lightAt(card, at)
        }
      }
      const onScreen = isScreen && Math.abs(u) < card.halfWidth && Math.abs(v) < card.halfHeight
      plane.data[index] = (sum / (points * points)) * (onScreen ? screenLight(card, { u, v, y }) : 1)
    }
  }
  return box
}
