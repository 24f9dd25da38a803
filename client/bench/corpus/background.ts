import { blur, emptyPlane, type Plane } from './plane.ts'
import { normals, type Random, seeded } from './random.ts'

export const FRAME = { width: 1280, height: 720 } as const

/** Slow light and shade: random values on a coarse grid, smoothed between. */
function wash(plane: Plane, random: Random, strength: number) {
  const [columns, rows] = [9, 6]
  const grid = Array.from({ length: columns * rows }, () => random.next())
  const at = (x: number, y: number) => grid[y * columns + x] ?? 0.5
  for (let y = 0; y < plane.height; y++) {
    const gy = (y / plane.height) * (rows - 1)
    const [y0, fy] = [Math.floor(gy), gy % 1]
    for (let x = 0; x < plane.width; x++) {
      const gx = (x / plane.width) * (columns - 1)
      const [x0, fx] = [Math.floor(gx), gx % 1]
      const top = at(x0, y0) * (1 - fx) + at(x0 + 1, y0) * fx
      const bottom = at(x0, y0 + 1) * (1 - fx) + at(x0 + 1, y0 + 1) * fx
      plane.data[y * plane.width + x] = strength * (top * (1 - fy) + bottom * fy)
    }
  }
}

function fillBox(plane: Plane, box: { x: number; y: number; w: number; h: number }, value: number): void {
  const right = Math.min(plane.width, Math.floor(box.x + box.w))
  const bottom = Math.min(plane.height, Math.floor(box.y + box.h))
  for (let y = Math.max(0, Math.floor(box.y)); y < bottom; y++) {
    plane.data.fill(value, y * plane.width + Math.max(0, Math.floor(box.x)), y * plane.width + Math.max(0, right))
  }
}

function lamp(plane: Plane, random: Random) {
  const [cx, cy] = [random.between(0, plane.width), random.between(0, plane.height)]
  const [radius, light] = [random.between(6, 60), random.between(0.2, 0.8)]
  for (let y = Math.max(0, Math.floor(cy - radius)); y < Math.min(plane.height, cy + radius); y++) {
    for (let x = Math.max(0, Math.floor(cx - radius)); x < Math.min(plane.width, cx + radius); x++) {
      if ((x - cx) ** 2 + (y - cy) ** 2 > radius * radius) continue
      plane.data[y * plane.width + x] = (plane.data[y * plane.width + x] ?? 0) + light
    }
  }
}

function rows(plane: Plane, random: Random) {
  const [x, y, size] = [random.between(0, 1000), random.between(0, 560), random.between(6, 20)]
  for (let line = 0; line < 8; line++) {
    let at = x
    while (at < x + 260) {
      const width = random.between(size * 0.3, size * 1.5)
      fillBox(plane, { x: at, y: y + line * size * 1.6, w: width, h: size }, random.between(0, 0.25))
      at += width + random.between(2, size)
    }
  }
}

/** Things that look a little like a code: squares in squares, bars, boards of dots. */
export function decoys(plane: Plane, random: Random): void {
  for (let i = 0; i < 3; i++) {
    const [x, y, module] = [random.between(60, 1100), random.between(60, 560), random.between(3, 12)]
    fillBox(plane, { x: x - module, y: y - module, w: module * 9, h: module * 9 }, 0.9)
    fillBox(plane, { x, y, w: module * 7, h: module * 7 }, 0.05)
    fillBox(plane, { x: x + module, y: y + module, w: module * 5, h: module * 5 }, 0.9)
    fillBox(plane, { x: x + module * 2, y: y + module * 2, w: module * 3, h: module * 3 }, 0.05)
  }
  const board = { x: random.between(100, 800), y: random.between(100, 400), module: random.between(3, 10) }
  for (let y = 0; y < 29; y++) {
    for (let x = 0; x < 29; x++) {
      const box = { x: board.x + x * board.module, y: board.y + y * board.module, w: board.module, h: board.module }
      fillBox(plane, box, random.next() < 0.5 ? 0.08 : 0.9)
    }
  }
  let bar = random.between(50, 700)
  const end = bar + 300
  while (bar < end) {
    const width = random.between(2, 8)
    fillBox(plane, { x: bar, y: 600, w: width, h: 80 }, 0.05)
    bar += width + random.between(2, 8)
  }
}

const made = new Map<number, Plane>()

/** A gate at night or a hall by day: shade, boxes, lines of writing, lamps. A few are made and then shared. */
export function background(seed: number): Plane {
  const known = made.get(seed)
  if (known) return { ...known, data: known.data.slice() }
  const random = seeded(seed * 7919 + 17)
  const plane = emptyPlane(FRAME.width, FRAME.height)
  wash(plane, random, random.between(0.3, 0.9))
  for (let i = 0; i < 25; i++) {
    const box = {
      x: random.between(-100, 1200),
      y: random.between(-100, 700),
      w: random.between(8, 300),
      h: random.between(8, 260),
    }
    fillBox(plane, box, random.between(0.02, 0.8))
  }
  for (let i = 0; i < 3; i++) rows(plane, random)
  for (let i = 0; i < 10; i++) lamp(plane, random)
  blur(plane, 0.8)
  const grain = normals(seed)
  for (let y = 0; y < plane.height; y++) {
    const row = grain(plane.width)
    for (let x = 0; x < plane.width; x++)
      plane.data[y * plane.width + x] = (plane.data[y * plane.width + x] ?? 0) + 0.015 * (row[x] ?? 0)
  }
  made.set(seed, plane)
  return { ...plane, data: plane.data.slice() }
}
