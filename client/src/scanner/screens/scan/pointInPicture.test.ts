import { expect, test } from 'vitest'
import { pointInPicture, pointOnScreen } from './pointInPicture.ts'

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

test('a point of the frame is found again on the screen', () => {
  const phone = video(390, 844)
  expect(pointOnScreen(phone, { x: 640, y: 360 })).toEqual({ x: 195, y: 422 })
  const at = pointOnScreen(phone, { x: 700, y: 100 })
  const back = pointInPicture(phone, { clientX: at?.x ?? 0, clientY: at?.y ?? 0 })
  expect(back?.x).toBeCloseTo(700 / 1280, 2)
  expect(back?.y).toBeCloseTo(100 / 720, 2)
  expect(pointOnScreen({ ...video(390, 844), videoWidth: 0 }, { x: 1, y: 1 })).toBeNull()
})
