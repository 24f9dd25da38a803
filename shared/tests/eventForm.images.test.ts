import { describe, expect, test } from 'vitest'
import { imageProblem, parseEventForm } from '../src/rules/event/eventForm.ts'
import { anEvent } from '../src/testing/builders.ts'

const parse = (eventImage: unknown) => parseEventForm({ ...anEvent(), eventImage }, { today: '2025-08-01' })
const taken = (eventImage: unknown) => {
  const result = parse(eventImage)
  return result.ok ? result.value.eventImage : result.errors
}

describe('an image that is not a base64 data URL of the five types', () => {
  test.each([
    'data:image/svg+xml;base64,AAAA',
    'data:image/bmp;base64,AAAA',
    'data:text/html;base64,AAAA',
    'data:image/png,AAAA',
    'data:image/png;base64,',
    'data:image/png;base64,AAA',
    'data:image/png;base64,AA=A',
    'data:image/png;base64,AA AA',
    'https://garba.test/poster.png',
    '/api/event/image/',
    '/api/event/image/../../secret',
    '//evil.test/api/event/image/abc',
    7,
    {},
  ])('is refused: %j', (image) => {
    expect(taken(image)).toEqual([
      { field: 'eventImage', message: 'Invalid image format. Please upload a valid image file.' },
    ])
  })
})

test('the five image types are taken as data URLs', () => {
  for (const type of ['jpeg', 'jpg', 'png', 'gif', 'webp']) {
    const eventImage = `data:image/${type};base64,AAAA`
    expect(taken(eventImage)).toBe(eventImage)
  }
})

test('the address of the stored image may be sent back unchanged', () => {
  const eventImage = `/api/event/image/${'a1'.repeat(32)}`
  expect(taken(eventImage)).toBe(eventImage)
})

test('an image of exactly 5 MB is taken, one byte more is refused', () => {
  const dataUrl = (bytes: number) => `data:image/png;base64,${Buffer.alloc(bytes).toString('base64')}`
  expect(parse(dataUrl(5_242_880)).ok).toBe(true)
  expect(taken(dataUrl(5_242_881))).toEqual([{ field: 'eventImage', message: 'Image file size must be less than 5MB' }])
})

test('a chosen file is checked by type and then by size', () => {
  expect(imageProblem({ type: 'image/webp', size: 5_242_880 })).toBeNull()
  expect(imageProblem({ type: 'image/webp', size: 5_242_881 })).toBe('Image file size must be less than 5MB')
  for (const type of ['image/svg+xml', 'application/pdf', ''])
    expect(imageProblem({ type, size: 10_000_000 })).toBe('Please select a valid image file (JPEG, PNG, GIF, or WebP)')
})
