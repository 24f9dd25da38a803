import { expect, test } from 'vitest'
import { drawingsFor } from '../src/site/landing/sections/Motifs.tsx'

test('a feature has the drawing of what it is about, in each language', () => {
  const [drum, food] = drawingsFor(['Live dhol', 'Food stalls'])
  expect(drawingsFor(['Free parking', 'લાઈવ ઢોલ', 'खाना और चाय'])).toEqual([expect.any(Number), drum, food])
})

test('no drawing is used twice before each was used once', () => {
  const many = Array.from({ length: 12 }, (_, index) => `Dhol ${index}`)
  expect(new Set(drawingsFor(many)).size).toBe(12)
  const more = drawingsFor([...many, 'One more', 'And another'])
  expect(more).toHaveLength(14)
  expect(new Set(more).size).toBe(12)
})

test('a feature is drawn the same whatever comes after it', () => {
  expect(drawingsFor(['Parking', 'Dandiya']).at(1)).toBe(drawingsFor(['Dandiya']).at(0))
})
