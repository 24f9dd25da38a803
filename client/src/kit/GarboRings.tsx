import { cx } from './cx.ts'
import styles from './GarboRings.module.css'

interface GarboRingsProps {
  className?: string | undefined
  /** The rings do not turn; under reduced motion they never do. */
  still?: boolean
  /** A watermark is still and has no light around the holes, because that takes longest to draw. */
  faint?: boolean
}

interface DrawnProps {
  ring: Ring
  faint: boolean
}

/**
 * One circle draws all its dots: a zero-length dash with a round cap is a dot. An offset of half a step keeps the first
 * and last dash from meeting where the circle closes.
 */
const Dots = ({ ring, faint }: DrawnProps) => (
  <g transform={`rotate(${(360 / ring.count) * ((ring.phase ?? 0) + 0.5) - 90})`} className={styles.dots}>
    {faint ? null : (
      <>
        <circle r={ring.radius} pathLength={ring.count} strokeWidth={ring.size * 4} className={styles.halo} />
        <circle r={ring.radius} pathLength={ring.count} strokeWidth={ring.size * 2.4} className={styles.near} />
      </>
    )}
    <circle r={ring.radius} pathLength={ring.count} strokeWidth={ring.size} className={styles.hole} />
  </g>
)

const Drawn = ({ ring, faint }: DrawnProps) => {
  if (ring.kind === 'dots') return <Dots ring={ring} faint={faint} />
  const path = ringPath({ ...ring, kind: ring.kind })
  if (ring.kind === 'lotus') return <path d={path} className={styles.lotus} />
  return (
    <>
      {faint ? null : <path d={path} className={styles.bloom} />}
      <path d={path} className={styles.pressed} />
    </>
  )
}

/**
 * A pierced clay lamp seen from above: rings of small lit holes. Decoration; the parent places it behind something and
 * sets its size. Each group of rings is a separate layer, so that turning it causes no repaint.
 */
export const GarboRings = ({ className, still = false, faint = false }: GarboRingsProps) => (
  <div className={cx(styles.lamp, (still || faint) && styles.still, className)} aria-hidden="true">
    <div className={styles.glow} />
    {LAMP.map((rings, layer) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the layers never change
      <svg key={layer} viewBox="-100 -100 200 200" className={styles.layer} aria-hidden="true">
        {rings.map((ring) => (
          <Drawn key={`${ring.kind}${ring.radius}`} ring={ring} faint={faint} />
        ))}
      </svg>
    ))}
  </div>
)

/** One ring of a garbo, seen from above. Lengths are in the units of a 200 x 200 drawing with its middle at 0,0. */
interface Ring {
  kind: 'dots' | 'petals' | 'diamonds' | 'lotus'
  radius: number
  count: number
  /** Diameter of a dot, length of the other shapes. */
  size: number
  /** Rotation as a fraction of one step, so that neighbouring rings interlock. */
  phase?: number
}

type Point = readonly [across: number, out: number]

/** Rounds to a tenth of a unit, which is less than a pixel, because the drawing is part of the landing page. */
const short = (length: number): string => String(Math.round(length * 10) / 10)

const placed = (points: readonly Point[], radius: number, turn: number): string[] => {
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)]
  return points.map(([across, out]) => {
    const far = radius + out
    return `${short(far * sin + across * cos)} ${short(across * sin - far * cos)}`
  })
}

const petal = (ring: Ring, turn: number): string => {
  const [half, wide] = [ring.size / 2, ring.size * 0.36]
  const [foot, right, tipRight, tip, tipLeft, left] = placed(
    [
      [0, -half],
      [wide, -half],
      [wide * 0.62, half * 0.2],
      [0, half],
      [-wide * 0.62, half * 0.2],
      [-wide, -half],
    ],
    ring.radius,
    turn,
  )
  return `M${foot}C${right} ${tipRight} ${tip}C${tipLeft} ${left} ${foot}Z`
}

const diamond = (ring: Ring, turn: number): string => {
  const [half, wide] = [ring.size / 2, ring.size * 0.3]
  const [foot, right, tip, left] = placed(
    [
      [0, -half],
      [wide, 0],
      [0, half],
      [-wide, 0],
    ],
    ring.radius,
    turn,
  )
  return `M${foot}L${right}L${tip}L${left}Z`
}

const lotus = (ring: Ring, turn: number): string => {
  const half = ring.size / 2
  const foot = (ring.radius - half) * Math.tan(Math.PI / ring.count)
  const [from, upLeft, topLeft, tip, topRight, upRight, to] = placed(
    [
      [-foot, -half],
      [-foot * 1.25, half * 0.2],
      [-foot * 0.42, half * 0.42],
      [0, half],
      [foot * 0.42, half * 0.42],
      [foot * 1.25, half * 0.2],
      [foot, -half],
    ],
    ring.radius,
    turn,
  )
  return `M${from}C${upLeft} ${topLeft} ${tip}C${topRight} ${upRight} ${to}`
}

const SHAPE = { petals: petal, diamonds: diamond, lotus } as const

const ringPath = (ring: Ring & { kind: keyof typeof SHAPE }): string => {
  const step = (2 * Math.PI) / ring.count
  return Array.from({ length: ring.count }, (_, index) =>
    SHAPE[ring.kind](ring, (index + (ring.phase ?? 0)) * step),
  ).join('')
}

const LAMP: readonly (readonly Ring[])[] = [
  [
    { kind: 'dots', radius: 46, count: 96, size: 0.62 },
    { kind: 'petals', radius: 50, count: 48, size: 4.4 },
    { kind: 'dots', radius: 53.4, count: 48, size: 0.9, phase: 0.5 },
  ],
  [
    { kind: 'lotus', radius: 60.5, count: 36, size: 7 },
    { kind: 'dots', radius: 59.6, count: 36, size: 2.1 },
    { kind: 'dots', radius: 65.4, count: 36, size: 0.9, phase: 0.5 },
  ],
  [
    { kind: 'diamonds', radius: 71, count: 60, size: 3.6 },
    { kind: 'dots', radius: 71, count: 60, size: 0.8, phase: 0.5 },
    { kind: 'dots', radius: 74.4, count: 120, size: 0.55 },
  ],
  [
    { kind: 'lotus', radius: 81.5, count: 32, size: 9.5 },
    { kind: 'petals', radius: 80.4, count: 32, size: 4.8 },
    { kind: 'dots', radius: 88, count: 32, size: 1.5, phase: 0.5 },
    { kind: 'dots', radius: 92, count: 96, size: 0.8 },
    { kind: 'dots', radius: 96.5, count: 64, size: 1.1, phase: 0.5 },
  ],
]
