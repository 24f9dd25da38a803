import { expect, test } from 'vitest'
import { pointInPicture } from './pointInPicture.ts'

const video = (width: number, height: number) => ({
  videoWidth: 1280,
  videoHeight: 720,
  getBoundingClientRect: () => ({ left: 0, top: 0, width, height }),
})

test('a tap on an upright screen that shows the middle of a wide picture', () => {
  const phone = video(390, 844)
  expect(pointInPicture(phone, { clientX: 195, clientY: 422 })).toEqual({ x: 0.5, y: 0.5 })
  expect(pointInPicture(phone, { clientX: 0, clientY: 0 })?.y).toBe(0)
  // 390 of the 1500 px that the picture is wide at this height.
  expect(pointInPicture(phone, { clientX: 0, clientY: 0 })?.x).toBeCloseTo(0.37, 2)
})

test('no picture, no point', () => {
  expect(pointInPicture({ ...video(390, 844), videoWidth: 0 }, { clientX: 1, clientY: 1 })).toBeNull()
})
