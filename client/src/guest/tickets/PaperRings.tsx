/** The lamp's rings as a watermark of the paper: decoration, in the kumkum of old wedding prints. */
export const PaperRings = ({ className }: { className?: string | undefined }) => (
  <svg viewBox="-100 -100 200 200" className={className} aria-hidden="true">
    {RINGS.map(({ radius, holes, size }) => (
      <circle key={radius} r={radius} pathLength={holes} strokeWidth={size} />
    ))}
  </svg>
)

const RINGS = [
  { radius: 22, holes: 16, size: 5 },
  { radius: 34, holes: 24, size: 4 },
  { radius: 47, holes: 30, size: 7 },
  { radius: 60, holes: 48, size: 3 },
  { radius: 74, holes: 40, size: 8 },
  { radius: 90, holes: 72, size: 3.5 },
] as const
