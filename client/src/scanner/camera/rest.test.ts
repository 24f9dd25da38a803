import { expect, test } from 'vitest'
import { hasMoved, lightOfCells } from './rest.ts'

const [WIDTH, HEIGHT] = [128, 72]

/** A picture of the gate in RGBA, whose light is given for each pixel. */
const pictureOf = (light: (x: number, y: number) => number) =>
  Uint8ClampedArray.from({ length: WIDTH * HEIGHT * 4 }, (_, i) => {
    const at = Math.floor(i / 4)
    return light(at % WIDTH, Math.floor(at / WIDTH))
  })
const moved = (before: Parameters<typeof pictureOf>[0], after: Parameters<typeof pictureOf>[0]) =>
  hasMoved(lightOfCells(pictureOf(before)), lightOfCells(pictureOf(after)))

/** Noise of a dark place between -30 and 30, the same for the same seed. */
const noise = (seed: number) => (x: number, y: number) => 60 + (((x * 7919 + y * 104_729 + seed * 1_299_709) % 61) - 30)

test('the noise of a dark place and slowly changing light do not wake the scanner', () => {
  for (let seed = 0; seed < 20; seed++) expect(moved(noise(seed), noise(seed + 1))).toBe(false)
  expect(moved(noise(1), (x, y) => noise(2)(x, y) + 6)).toBe(false)
})

test('somebody who comes into the picture, or a hand with a phone, wakes it', () => {
  const phone = (x: number, y: number) => (x >= 60 && x < 76 && y >= 30 && y < 46 ? 230 : noise(2)(x, y))
  expect(moved(noise(1), phone)).toBe(true)
  const person = (x: number, y: number) => (x < 12 ? 20 : noise(3)(x, y))
  expect(moved(noise(1), person)).toBe(true)
})

test('without an earlier picture nothing has moved', () => {
  expect(hasMoved([], lightOfCells(pictureOf(noise(1))))).toBe(false)
})
