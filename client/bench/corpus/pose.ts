/** Where a flat card stands before the camera. Lengths in pixels, angles in degrees. */
export interface Pose {
  x: number
  y: number
  /** Side of the code itself, quiet zone not counted, as it would appear face on. */
  size: number
  turn: number
  tiltX: number
  tiltY: number
}

export interface Point {
  x: number
  y: number
}

type Nine = readonly [number, number, number, number, number, number, number, number, number]

/** A phone's main camera at 1280 pixels of width sees about 60 degrees. */
const FOCAL_PX = 1100

/** The homography from card coordinates (code side = 1, origin in its centre) to pixels. */
function toImage({ x, y, size, turn, tiltX, tiltY }: Pose): Nine {
  const [ct, st] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)]
  const [cx, sx] = [Math.cos((tiltX * Math.PI) / 180), Math.sin((tiltX * Math.PI) / 180)]
  const [cy, sy] = [Math.cos((tiltY * Math.PI) / 180), Math.sin((tiltY * Math.PI) / 180)]
  const u = { x: cy * ct, y: sx * sy * ct + cx * st, z: -cx * sy * ct + sx * st }
  const v = { x: -cy * st, y: -sx * sy * st + cx * ct, z: cx * sy * st + sx * ct }
  const k = size / FOCAL_PX
  return [
    size * u.x + x * k * u.z,
    size * v.x + x * k * v.z,
    x,
    size * u.y + y * k * u.z,
    size * v.y + y * k * v.z,
    y,
    k * u.z,
    k * v.z,
    1,
  ]
}

function inverse([a, b, c, d, e, f, g, h, i]: Nine): Nine {
  const A = e * i - f * h
  const B = f * g - d * i
  const C = d * h - e * g
  const det = a * A + b * B + c * C
  return [A, c * h - b * i, b * f - c * e, B, a * i - c * g, c * d - a * f, C, b * g - a * h, a * e - b * d].map(
    (value) => value / det,
  ) as unknown as Nine
}

export interface Projection {
  toPixel(u: number, v: number): Point
  /** Coefficients of the way back: u = (m0 x + m1 y + m2) / (m6 x + m7 y + m8), v likewise with m3..m5. */
  back: Nine
}

export function project(pose: Pose): Projection {
  const forth = toImage(pose)
  return {
    back: inverse(forth),
    toPixel: (u, v) => {
      const w = forth[6] * u + forth[7] * v + forth[8]
      return { x: (forth[0] * u + forth[1] * v + forth[2]) / w, y: (forth[3] * u + forth[4] * v + forth[5]) / w }
    },
  }
}
