import { expect, test } from 'vitest'
import { symbolOf, ticketText } from '../../../bench/corpus/codes.ts'
import { seeded } from '../../../bench/corpus/random.ts'
import { LIBRARY_VARIANTS, readWithLibrary } from './libraryRung.ts'
import type { Luma } from './luma.ts'
import type { Picture } from './reading.ts'

const SIZE = { width: 1280, height: 720 }
const TURNED = LIBRARY_VARIANTS.flatMap(({ name }, turn) => (name.includes('turned') ? [turn] : []))

/** A ticket held still and upright before the camera, with so many pixels a module, and its corners. */
function upright(text: string, pixels: number) {
  const { side, dark } = symbolOf(text)
  const [left, top] = [(SIZE.width - side * pixels) >> 1, (SIZE.height - side * pixels) >> 1]
  const luma: Luma = { ...SIZE, data: new Uint8Array(SIZE.width * SIZE.height).fill(230) }
  for (let y = 0; y < side * pixels; y++) {
    for (let x = 0; x < side * pixels; x++) {
      const isDark = dark[Math.floor(y / pixels) * side + Math.floor(x / pixels)] === 1
      if (isDark) luma.data[(top + y) * SIZE.width + left + x] = 20
    }
  }
  const [right, bottom] = [left + side * pixels, top + side * pixels]
  return { luma, corners: [left, top, right, top, right, bottom, left, bottom] }
}

test.each([
  [6, false, 30],
  [9, true, 60],
])(
  'every ticket held still and upright is read at its place, %i pixels a module, turned: %s',
  async (pixels, isTurned, count) => {
    const random = seeded(1)
    const unread: string[] = []
    const turns: number[] = []
    for (let i = 0; i < count; i++) {
      const text = ticketText(random)
      const { luma, corners } = upright(text, pixels)
      const picture = { ...SIZE, source: null, luma: async () => luma }
      const { turn, reading } = await firstRead(picture)
      turns.push(turn)
      if (reading?.text !== text) unread.push(text)
      const places = reading?.corners?.flatMap(({ x, y }) => [x, y]) ?? []
      expect(places.filter((place, at) => Math.abs(place - (corners[at] ?? 0)) > 2 * pixels)).toEqual([])
    }
    expect(unread).toEqual([])
    // Some large ones are read only when turned.
    expect(turns.some((turn) => TURNED.includes(turn))).toBe(isTurned)
  },
)

/** What the library reads first, and in which turn. */
async function firstRead(picture: Picture) {
  for (const turn of LIBRARY_VARIANTS.keys()) {
    const [reading] = await readWithLibrary(picture, turn)
    if (reading) return { turn, reading }
  }
  return { turn: -1 }
}
