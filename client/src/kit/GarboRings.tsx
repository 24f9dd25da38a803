import { cx } from './cx.ts'
import styles from './GarboRings.module.css'
import { LAMP, type Ring, ringPath } from './garbo.ts'

interface GarboRingsProps {
  className?: string | undefined
  /** Rings do not turn; they never do under reduced motion. */
  still?: boolean
}

/**
 * A dotted circle needs no element per hole: a dash of no length with a round cap is a dot. Half a step of offset keeps
 * the first and the last dash from meeting where the circle closes.
 */
const Dots = ({ ring }: { ring: Ring }) => (
  <g transform={`rotate(${(360 / ring.count) * ((ring.phase ?? 0) + 0.5) - 90})`} className={styles.dots}>
    <circle r={ring.radius} pathLength={ring.count} strokeWidth={ring.size * 3.4} className={styles.halo} />
    <circle r={ring.radius} pathLength={ring.count} strokeWidth={ring.size} className={styles.hole} />
  </g>
)

const Drawn = ({ ring }: { ring: Ring }) => {
  if (ring.kind === 'dots') return <Dots ring={ring} />
  const path = ringPath({ ...ring, kind: ring.kind })
  if (ring.kind === 'lotus') return <path d={path} className={styles.lotus} />
  return (
    <>
      <path d={path} className={styles.bloom} />
      <path d={path} className={styles.pressed} />
    </>
  )
}

/**
 * The pierced lamp from above: light through small holes, in rings. Decoration, to be laid behind something by its
 * parent, which sets the size. Each group of rings is a layer of its own, so that turning it costs no repaint.
 */
export const GarboRings = ({ className, still = false }: GarboRingsProps) => (
  <div className={cx(styles.lamp, still && styles.still, className)} aria-hidden="true">
    <div className={styles.glow} />
    {LAMP.map((rings, layer) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the layers never change
      <svg key={layer} viewBox="-100 -100 200 200" className={styles.layer} aria-hidden="true">
        {rings.map((ring) => (
          <Drawn key={`${ring.kind}${ring.radius}`} ring={ring} />
        ))}
      </svg>
    ))}
  </div>
)
