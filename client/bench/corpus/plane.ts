/** One channel of light, 0 = black, 1 = the sensor's white; may leave that range until the sensor clips it. */
export interface Plane {
  width: number
  height: number
  data: Float32Array
}

export function emptyPlane(width: number, height: number): Plane {
  return { width, height, data: new Float32Array(width * height) }
}

/** A part of a plane, in whole pixels; `right` and `bottom` lie just outside it. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export function grown(box: Box, by: number, { width, height }: { width: number; height: number }): Box {
  return {
    left: Math.max(0, Math.floor(box.left - by)),
    top: Math.max(0, Math.floor(box.top - by)),
    right: Math.min(width, Math.ceil(box.right + by)),
    bottom: Math.min(height, Math.ceil(box.bottom + by)),
  }
}

export function cut({ width, data }: Plane, { left, top, right, bottom }: Box): Plane {
  const part = emptyPlane(right - left, bottom - top)
  for (let y = top; y < bottom; y++) {
    part.data.set(data.subarray(y * width + left, y * width + right), (y - top) * part.width)
  }
  return part
}

export function paste(plane: Plane, part: Plane, { left, top }: Box): void {
  for (let y = 0; y < part.height; y++) {
    plane.data.set(part.data.subarray(y * part.width, (y + 1) * part.width), (y + top) * plane.width + left)
  }
}

const clamped = (value: number, below: number) => (value < 0 ? 0 : value < below ? value : below - 1)

interface Pass {
  from: Float32Array
  to: Float32Array
  width: number
  height: number
  radius: number
}

/** Running mean over 2 radius + 1 pixels along rows; the part of a pixel at both ends counts by its fraction. */
function alongRows({ from, to, width, height, radius }: Pass) {
  const whole = Math.floor(radius)
  const part = radius - whole
  for (let y = 0; y < height; y++) {
    const start = y * width
    let sum = 0
    for (let x = -whole; x <= whole; x++) sum += from[start + clamped(x, width)] ?? 0
    for (let x = 0; x < width; x++) {
      const before = from[start + clamped(x - whole - 1, width)] ?? 0
      const after = from[start + clamped(x + whole + 1, width)] ?? 0
      to[start + x] = (sum + part * (before + after)) / (2 * radius + 1)
      sum += after - (from[start + clamped(x - whole, width)] ?? 0)
    }
  }
}

/** The same along columns, a whole row at a time so that memory is walked in its order. */
function alongColumns({ from, to, width, height, radius }: Pass) {
  const whole = Math.floor(radius)
  const part = radius - whole
  const sums = new Float32Array(width)
  for (let y = -whole; y <= whole; y++) {
    const row = clamped(y, height) * width
    for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + (from[row + x] ?? 0)
  }
  for (let y = 0; y < height; y++) {
    const before = clamped(y - whole - 1, height) * width
    const after = clamped(y + whole + 1, height) * width
    const leaving = clamped(y - whole, height) * width
    for (let x = 0; x < width; x++) {
      const sum = sums[x] ?? 0
      const end = from[after + x] ?? 0
      to[y * width + x] = (sum + part * ((from[before + x] ?? 0) + end)) / (2 * radius + 1)
      sums[x] = sum + end - (from[leaving + x] ?? 0)
    }
  }
}

/** Gaussian blur of standard deviation `sigma` pixels, in place: three box passes are a good one. */
export function blur(plane: Plane, sigma: number): void {
  if (sigma < 0.3) return
  const { width, height, data } = plane
  const radius = (Math.sqrt(4 * sigma * sigma + 1) - 1) / 2
  const other = new Float32Array(data.length)
  for (let pass = 0; pass < 3; pass++) {
    alongRows({ from: data, to: other, width, height, radius })
    alongColumns({ from: other, to: data, width, height, radius })
  }
}

/** The smear of a hand that moves `length` pixels in the direction `angle` (degrees) while the shutter is open. */
export function smear(plane: Plane, { length, angle }: { length: number; angle: number }): void {
  if (length < 1) return
  const { width, height, data } = plane
  const source = data.slice()
  const steps = Math.max(2, Math.round(length))
  const dx = (Math.cos((angle * Math.PI) / 180) * length) / steps
  const dy = (Math.sin((angle * Math.PI) / 180) * length) / steps
  data.fill(0)
  for (let step = 0; step <= steps; step++) {
    const offsetX = Math.round(dx * (step - steps / 2))
    const offsetY = Math.round(dy * (step - steps / 2))
    for (let y = 0; y < height; y++) {
      const row = Math.min(height - 1, Math.max(0, y + offsetY)) * width
      for (let x = 0; x < width; x++) {
        const column = Math.min(width - 1, Math.max(0, x + offsetX))
        data[y * width + x] = (data[y * width + x] ?? 0) + (source[row + column] ?? 0) / (steps + 1)
      }
    }
  }
}
