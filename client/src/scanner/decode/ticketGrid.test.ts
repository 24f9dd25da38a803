import { describe, expect, test } from 'vitest'
import { type QrSymbol, symbolOf, ticketText, withNoise } from '../../../bench/corpus/codes.ts'
import { photograph } from '../../../bench/corpus/frame.ts'
import { project } from '../../../bench/corpus/pose.ts'
import { seeded } from '../../../bench/corpus/random.ts'
import { sceneWith } from '../../../bench/corpus/scenes.ts'
import type { Luma } from './luma.ts'
import type { Corners } from './reading.ts'
import { readAt } from './ticketGrid.ts'

const PIXELS = 6
const MARGIN = 40

/** A symbol drawn upright; `paint` may change what a module looks like. */
function drawn(
  what: string | QrSymbol,
  paint: (x: number, y: number, light: number) => number = (_x, _y, light) => light,
) {
  const { side, dark } = typeof what === 'string' ? symbolOf(what) : what
  const size = side * PIXELS + 2 * MARGIN
  const luma: Luma = { width: size, height: size, data: new Uint8Array(size * size).fill(230) }
  for (let y = 0; y < side * PIXELS; y++) {
    for (let x = 0; x < side * PIXELS; x++) {
      const [column, row] = [Math.floor(x / PIXELS), Math.floor(y / PIXELS)]
      const light = dark[row * side + column] === 1 ? 20 : 230
      luma.data[(y + MARGIN) * size + x + MARGIN] = paint(column, row, light)
    }
  }
  return { luma, corners: square(MARGIN, MARGIN + side * PIXELS) }
}
const square = (from: number, to: number): Corners => [
  { x: from, y: from },
  { x: to, y: from },
  { x: to, y: to },
  { x: from, y: to },
]
const text = ticketText(seeded(3))
const readingAt = (luma: Luma, corners: Corners) => readAt(luma, [corners], 0)?.reading ?? null

describe('a ticket read module by module', () => {
  test('is the text, and its corners are found although the first guess was a module off', () => {
    const { luma, corners } = drawn(text)
    const [a, b, c, d] = corners
    const guess: Corners = [{ x: a.x + 6, y: a.y - 5 }, b, { x: c.x - 5, y: c.y }, { x: d.x, y: d.y + 6 }]
    const found = readingAt(luma, guess)
    expect(found?.text).toBe(text)
    for (const [i, { x, y }] of (found?.corners ?? []).entries())
      expect(Math.hypot(x - (corners[i]?.x ?? 0), y - (corners[i]?.y ?? 0))).toBeLessThan(0.3 * PIXELS)
  })

  test('is read with an eighth of it white, more than wrong codewords could be corrected', () => {
    const { luma, corners } = drawn(text, (x, y, light) => (x > 11 && x < 26 && y > 13 && y < 26 ? 255 : light))
    expect(readingAt(luma, corners)?.text).toBe(text)
  })

  test('is read inverted', () => {
    const { luma, corners } = drawn(text, (_x, _y, light) => 250 - light)
    expect(readingAt(luma, corners)?.text).toBe(text)
  })

  test('is not guessed where half of it is gone', () => {
    const { luma, corners } = drawn(text, (_x, y, light) => (y > 9 && y < 28 ? 255 : light))
    expect(readingAt(luma, corners)).toBeNull()
  })

  test('is nothing where another kind of code or none is', () => {
    const { luma, corners } = drawn('https://example.com/menu/12345678')
    expect(readingAt(luma, corners)).toBeNull()
    const blank: Luma = { width: 200, height: 200, data: new Uint8Array(40_000).fill(128) }
    expect(readingAt(blank, square(20, 180))).toBeNull()
    expect(readingAt(blank, square(50, 50))).toBeNull()
  })

  test('noise between the marks of a ticket is never a text, however uncertain its modules', () => {
    const random = seeded(5)
    for (let i = 0; i < 30; i++) {
      const noise = withNoise(symbolOf(text), random)
      const { luma, corners } = drawn(noise, (_x, _y, light) =>
        Math.min(255, Math.max(0, light + random.between(-110, 110))),
      )
      expect(readingAt(luma, corners)).toBeNull()
    }
  })

  test('bent paper is read, which other readers take for flat', () => {
    const scene = sceneWith('bent paper', 28)
    const pose = scene.cards[0]?.pose
    if (!pose) throw new Error('no card')
    const { toPixel } = project(pose)
    const corners: Corners = [toPixel(-0.5, -0.5), toPixel(0.5, -0.5), toPixel(0.5, 0.5), toPixel(-0.5, 0.5)]
    expect(readingAt(photograph(scene), corners)?.text).toBe(scene.expected)
  })
})
