import { decodeGroupQr } from '@garba/shared/rules/groupQr'
import { decodeQr } from '@garba/shared/rules/qr'
import type { Luma } from './luma.ts'

export interface Point {
  x: number
  y: number
}

/** The corners are in the frame's pixels, clockwise from the code's own top left. */
export type Corners = readonly [Point, Point, Point, Point]

export interface CodeReading {
  text: string
  corners?: Corners
}

/** A ticket's code is version 5: modules on each side, and modules between the centres of two corner marks. */
export const TICKET_SIDE = 37
export const MARKS_APART = 30

export type RungName = 'native' | 'wasm' | 'library'

export interface DecodedCode extends CodeReading {
  rung: RungName
  /** The time between the frame's arrival at the ladder and this answer. */
  ms: number
}

interface Size {
  width: number
  height: number
}

/** Whether the text has the exact form of a ticket's or a group's code (rules/qr, rules/groupQr). Checks no signature. */
export const isTicketText = (text: string): boolean => decodeQr(text) !== null || decodeGroupQr(text) !== null

/** 0 = a ticket, 1 = starts like a ticket, 2 = some other code. */
const rankCodeText = (text: string) => (isTicketText(text) ? 0 : /^G[RBG]1:/.test(text) ? 1 : 2)

/** Squared distance from the frame's centre; readings without a position sort last. */
function remoteness({ corners }: CodeReading, { width, height }: Size): number {
  if (!corners) return Number.POSITIVE_INFINITY
  const x = corners.reduce((sum, corner) => sum + corner.x, 0) / 4 - width / 2
  const y = corners.reduce((sum, corner) => sum + corner.y, 0) / 4 - height / 2
  return x * x + y * y
}

const inOrder = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Picks the code that is meant: a well-formed ticket first, then texts that begin like a ticket, then others. Among
 * equals, the code nearest to the centre, where the checker aims; then by text, so that the answer is deterministic.
 */
export function findPreferredReading(readings: readonly CodeReading[], frame: Size): CodeReading | null {
  const ranked = readings
    .map((reading) => ({ reading, kind: rankCodeText(reading.text), remoteness: remoteness(reading, frame) }))
    .sort(
      (a, b) =>
        inOrder(a.kind, b.kind) || inOrder(a.remoteness, b.remoteness) || inOrder(a.reading.text, b.reading.text),
    )
  return ranked[0]?.reading ?? null
}

/** Input for native detectors; in Node, where the other rungs are tested, there is only `luma`. */
export type NativeSource = ImageBitmap | VideoFrame | ImageData

export interface Picture {
  width: number
  height: number
  source: NativeSource | null
  luma(): Promise<Luma>
}

/**
 * `turn` counts the frames in which nothing was read; a rung uses another variant for each. May throw; then the next
 * rung reads.
 */
export type ReadPicture = (picture: Picture, turn: number) => Promise<readonly CodeReading[]>

export interface Rung {
  name: RungName
  load(): Promise<ReadPicture>
  isDoubted: boolean
}

export type ToWorker =
  | { type: 'start'; given: { up: readonly RungName[] } }
  | { type: 'read'; id: number; frame: NativeSource }

export type Takes = 'frames' | 'pixels'

export type FromWorker =
  | { type: 'ready'; rung: RungName; takes: Takes }
  | { type: 'unable'; why: string }
  | { type: 'givenUp'; rung: RungName; why: string }
  | { type: 'read'; id: number; decoded: DecodedCode | null }
