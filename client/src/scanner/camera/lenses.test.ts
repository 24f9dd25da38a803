import { expect, test } from 'vitest'
import { asksFor, bestCamera, nextCamera, rememberedCamera } from './lenses.ts'
import { classifyCameraError } from './model.ts'

const named = (...labels: string[]) => labels.map((label, i) => ({ id: `${i}`, label }))

test.each([
  ['the rear one', ['Front Camera', 'Back Camera'], 'Back Camera'],
  ['not the ultra-wide', ['Back Ultra Wide Camera', 'Back Camera', 'Front Camera'], 'Back Camera'],
  ['not the telephoto', ['Back Telephoto Camera', 'Back Camera'], 'Back Camera'],
  [
    'the first rear one of Android',
    ['camera2 2, facing back', 'camera2 1, facing front', 'camera2 0, facing back'],
    'camera2 0, facing back',
  ],
  ['a webcam before a front camera', ['FaceTime HD Camera', 'USB Camera'], 'USB Camera'],
])('the best lens: %s', (_, labels, best) => expect(bestCamera(named(...labels))?.label).toBe(best))

test('with no labels yet the rear camera is asked for, then any', () => {
  expect(asksFor(named('', ''), null)).toEqual([{ type: 'rear' }, { type: 'any' }])
})

test('the remembered camera comes first, found by name where ids change', () => {
  const cameras = named('Back Camera', 'Front Camera')
  expect(rememberedCamera(cameras, { id: 'old', label: 'Front Camera' })?.id).toBe('1')
  expect(asksFor(cameras, { id: 'old', label: 'Front Camera' })).toEqual([
    { type: 'id', id: '1' },
    { type: 'id', id: '0' },
    { type: 'rear' },
    { type: 'any' },
  ])
  expect(rememberedCamera(cameras, { id: 'old', label: 'gone' })).toBeNull()
})

test('cameras are cycled round and round; one alone is not switched', () => {
  const cameras = named('a', 'b', 'c')
  expect(nextCamera(cameras, '2')?.id).toBe('0')
  expect(nextCamera(named('a'), '0')).toBeNull()
})

test.each([
  ['NotAllowedError', 'denied'],
  ['NotFoundError', 'none'],
  ['NotReadableError', 'busy'],
  ['OverconstrainedError', 'unfit'],
  ['Strange', 'failed'],
])('%s is reported as %s', (name, fault) => expect(classifyCameraError(new DOMException('', name))).toBe(fault))
