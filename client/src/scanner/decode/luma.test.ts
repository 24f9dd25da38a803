import { describe, expect, test } from 'vitest'
import {
  cornersInFrame,
  cropCentre,
  doubleView,
  halveView,
  localMean,
  lumaOfRgba,
  rotateView,
  sharpenView,
  softenView,
  toneView,
  toView,
} from './luma.ts'

const picture = (width: number, height: number, light: (x: number, y: number) => number) =>
  toView({
    width,
    height,
    data: Uint8Array.from({ length: width * height }, (_, i) => light(i % width, Math.floor(i / width))),
  })
const FLAT = picture(8, 6, () => 100)

test('light of colours: green counts most, grey stays as it is', () => {
  const { data } = lumaOfRgba({
    width: 4,
    height: 1,
    data: [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 90, 90, 90, 255],
  })
  expect([...data]).toEqual([76, 150, 29, 90])
})

describe('views keep an even picture even', () => {
  test.each([
    ['centre', cropCentre(FLAT, 0.5)],
    ['halved', halveView(FLAT)],
    ['doubled', doubleView(FLAT)],
    ['softened', softenView(FLAT, 3)],
    ['sharpened', sharpenView(FLAT, { times: 2, gain: 3 })],
  ])('%s', (_, view) => expect(new Set(view.luma.data)).toEqual(new Set([100])))
})

test('half and double the size, and the middle of the picture', () => {
  expect(halveView(FLAT).luma).toMatchObject({ width: 4, height: 3 })
  expect(doubleView(FLAT).luma).toMatchObject({ width: 16, height: 12 })
  const steps = picture(8, 8, (x, y) => x + 10 * y)
  expect([...cropCentre(steps, 0.25).luma.data]).toEqual([33, 34, 43, 44])
})

test('corners found in a view are converted to the frame', () => {
  const view = doubleView(
    cropCentre(
      picture(100, 80, () => 0),
      0.5,
    ),
  )
  const [corner] = cornersInFrame(
    [
      { x: 10, y: 20 },
      { x: 0, y: 0 },
      { x: 0, y: 0 },
      { x: 0, y: 0 },
    ],
    view,
  )
  expect(corner).toEqual({ x: 25 + 5, y: 20 + 10 })
  expect(
    cornersInFrame(
      [
        { x: 3, y: 4 },
        { x: 0, y: 0 },
        { x: 0, y: 0 },
        { x: 0, y: 0 },
      ],
      halveView(FLAT),
    )[0],
  ).toEqual({ x: 6, y: 8 })
})

test('a turned picture is whole, and its points are where they were', () => {
  const spot = picture(40, 20, (x, y) => (x === 30 && y === 5 ? 255 : 0))
  const { luma, inFrame } = rotateView(spot, 30)
  expect(luma).toMatchObject({ width: 45, height: 38 })
  const at = luma.data.indexOf(255)
  const { x, y } = inFrame({ x: at % luma.width, y: Math.floor(at / luma.width) })
  expect(Math.hypot(x - 30, y - 5)).toBeLessThan(1)
})

test('shadows spread out, black and white stay', () => {
  const view = toneView(
    picture(3, 1, (x) => [0, 16, 255][x] ?? 0),
    0.5,
  )
  expect([...view.luma.data]).toEqual([0, 64, 255])
})

test('against the mean of its surroundings a dark dot is black in shadow and in light', () => {
  const dots = new Set(['5,5', '35,5'])
  const { data } = localMean(
    picture(40, 11, (x, y) => 20 + 5 * x - (dots.has(`${x},${y}`) ? 15 : 0)),
    0.5,
  ).luma
  expect([data[5 * 40 + 5], data[5 * 40 + 35]]).toEqual([0, 0])
  expect([data[4 * 40 + 6], data[4 * 40 + 36]]).toEqual([255, 255])
})

test('sharpening widens an edge and never runs over', () => {
  const edge = picture(9, 5, (x) => (x < 4 ? 60 : 190))
  const { data } = sharpenView(edge, { times: 1, gain: 2 }).luma
  const row = [...data.subarray(18, 27)]
  expect(row[3]).toBeLessThan(60)
  expect(row[4]).toBeGreaterThan(190)
  expect(Math.max(...row)).toBeLessThanOrEqual(255)
})
