import styles from './Scene.module.css'

export type SceneName = 'dancers' | 'sticks' | 'lamp' | 'dhol' | 'ground'

export const Scene = ({ name }: { name: SceneName }) => {
  const { box, Drawing } = SCENES[name]
  return (
    <svg viewBox={box} className={styles.scene} data-scene={name} aria-hidden="true">
      <Drawing />
    </svg>
  )
}

const short = (length: number): string => String(Math.round(length * 10) / 10)
const at = (x: number, y: number): string => `${short(x)} ${short(y)}`
const steps = (count: number): number[] => Array.from({ length: count + 1 }, (_, index) => index / count)

const Dancers = () => (
  <>
    <path d="M30 203Q210 226 390 203" className={styles.thin} />
    <g transform="translate(210 206) scale(.5)">
      <Garbo />
    </g>
    <g transform="translate(104 128) rotate(-4)">
      <Dancer />
    </g>
    <g transform="translate(316 128) scale(-1 1) rotate(-4)">
      <Dancer />
    </g>
    <Spark x={210} y={38} size={9} />
  </>
)

/** One dancer, from the waist at 0,0; her right hand holds a stick up and outward. */
const Dancer = () => (
  <>
    <path
      d="M-8-34C-30-36-40-14-60-10-72-8-84-16-96-6-86 2-92 8-100 14-80 18-62 14-48 6-34-2-22-4-8-6Z"
      className={styles.odhni}
    />
    <path d="M-14-27C-34-22-46-2-74 0" className={styles.thin} />
    <Skirt />
    <path d="M-9 0C-11-10-15-20-14-31L-5-37H5L14-31C15-20 11-10 9 0Z" className={styles.choli} />
    <path d="M-14-18Q0-11 13-18M-5-37Q0-30 5-37" className={styles.rose} />
    <path d="M-13-30C-30-32-38-46-33-66M13-30C30-26 42-38 52-58" className={styles.limb} />
    <path d="M-38-60-30-58M-39-55-31-53M44-52 52-47M41-46 49-42" className={styles.rose} />
    <path d="M-54-88-12-46M38-42 117-91" className={styles.stick} />
    <circle cx="0" cy="-49" r="10.5" className={styles.choli} />
    <path d="M-10-52Q-2-50 4-59M-10-52C-10-64 8-66 10-52C12-46 12-40 15-34" className={styles.line} />
    <circle cx="10" cy="-59" r="5.5" className={styles.head} />
    <path d="M5-64Q13-68 16-59" className={styles.pale} />
    <circle cx="-3" cy="-54" r="1.5" className={styles.light} />
  </>
)

const HEM = { half: 66, foot: 58, dip: 15 } as const

/** A point of the skirt: `across` from its left to its right seam, `down` from the waist to the hem. */
function onSkirt(across: number, down: number): readonly [x: number, y: number] {
  const turn = Math.PI * (1 - across)
  const [x, y] = [HEM.half * Math.cos(turn), HEM.foot + HEM.dip * Math.sin(turn)]
  const waist = -9 + 18 * across
  return [waist + (x - waist) * down ** 1.45, y * down]
}

const seam = (across: number): string => {
  const [from, middle, to] = [onSkirt(across, 0), onSkirt(across, 0.55), onSkirt(across, 1)]
  // The curve's handle, so that it passes through the middle.
  const handle = [2 * middle[0] - (from[0] + to[0]) / 2, 2 * middle[1] - (from[1] + to[1]) / 2] as const
  return `M${at(...from)}Q${at(...handle)} ${at(...to)}`
}

const band = (down: number): string => {
  const [[left, y], [right]] = [onSkirt(0, down), onSkirt(1, down)]
  return `M${at(left, y)}A${short((right - left) / 2)} ${short(HEM.dip * down)} 0 0 0 ${at(right, y)}`
}

const FOLDS = 9
const scallops = steps(FOLDS)
  .slice(1)
  .map((across, index) => {
    const [x, y] = onSkirt((across * FOLDS - 0.5) / FOLDS, 1.12)
    const to = onSkirt(across, 1)
    return `${index === 0 ? `M${at(...onSkirt(0, 1))}` : ''}Q${at(x, y)} ${at(...to)}`
  })
  .join('')

const Skirt = () => (
  <>
    <path d={`${seam(0)}${scallops.replace(/^M[^Q]+/, '')}L9 0Z`} className={styles.body} />
    <path d={steps(FOLDS).map(seam).join('')} className={styles.thin} />
    <path d={`${seam(0)}${seam(1)}${scallops}`} className={styles.line} />
    <path d={`${band(0.93)}${band(0.72)}`} className={styles.rose} />
    <path d={band(0.45)} className={styles.pale} />
    {steps(FOLDS)
      .slice(1)
      .map((across) => {
        const [x, y] = onSkirt(across - 0.5 / FOLDS, 0.83)
        return <circle key={across} cx={short(x)} cy={short(y)} r="2.1" className={styles.light} />
      })}
  </>
)

/** The pierced pot with its flame, from its foot at 0,0. */
const Garbo = () => (
  <>
    <path d="M-26 0H26M-20 5H20" className={styles.line} />
    <path d="M-20 0C-48-12-52-56-17-68H17C52-56 48-12 20 0Z" className={styles.body} />
    <path d="M-20 0C-48-12-52-56-17-68H17C52-56 48-12 20 0" className={styles.line} />
    <path d="M-22-68Q0-61 22-68Q0-77-22-68Z" className={styles.line} />
    <path d="M-36-48Q0-38 36-48M-38-20Q0-10 38-20" className={styles.rose} />
    {POT_HOLES.map(([x, y]) => (
      <path key={x} d={`M${x} ${y + 7}q-5-6 0-13q5 7 0 13z`} className={styles.light} />
    ))}
    <path d="M-31-8l4-3 4 3-4 3zM-5-2l5-3 5 3-5 3zM23-8l4-3 4 3-4 3z" className={styles.light} />
    <path d="M0-74C-13-82-8-93 0-108 8-93 13-82 0-74Z" className={styles.flame} />
    <path d="M0-77C-5-82-3-88 0-94 3-88 5-82 0-77Z" className={styles.light} />
  </>
)

const POT_HOLES = [
  [-30, -33],
  [-15, -29],
  [0, -27],
  [15, -29],
  [30, -33],
] as const

/** Rays of light from one radius to another, all around or within `spread` degrees around the top. */
const rays = (count: number, from: number, to: number, spread = 360): string =>
  steps(count)
    .slice(1)
    .map((part, index) => {
      const turn = ((part - 0.5 - 0.5 / count) * spread * Math.PI) / 180
      const [sin, cos] = [Math.sin(turn), Math.cos(turn)]
      const far = index % 2 === 0 ? to : from + (to - from) * 0.6
      return `M${at(from * sin, -from * cos)}L${at(far * sin, -far * cos)}`
    })
    .join('')

const Spark = ({ x, y, size }: { x: number; y: number; size: number }) => (
  <g transform={`translate(${x} ${y})`}>
    <path d={rays(10, size * 0.7, size * 1.9)} className={styles.pale} />
    <circle r={size * 0.28} className={styles.light} />
  </g>
)

const Lamp = () => (
  <>
    <path d={rays(17, 84, 106, 230)} transform="translate(120 108)" className={styles.thin} />
    <path d="M20 168Q120 184 220 168" className={styles.thin} />
    <g transform="translate(120 162) scale(1.12)">
      <Garbo />
    </g>
  </>
)

const CrossedSticks = () => (
  <>
    <path d={rays(18, 44, 58)} transform="translate(120 66)" className={styles.thin} />
    <g transform="translate(120 66) rotate(-52)">
      <Stick />
    </g>
    <g transform="translate(120 66) scale(-1 1) rotate(-52)">
      <Stick />
    </g>
    <Spark x={120} y={66} size={15} />
  </>
)

const Stick = () => (
  <>
    <path d="M-78-5H76Q82-5 82 0T76 5H-78Q-84 5-84 0T-78-5Z" className={styles.wood} />
    <path d="M-66-5V5M-60-5V5M-40-5l8 10M-32-5l-8 10M34-5l8 10M42-5l-8 10M62-5V5M68-5V5" className={styles.rose} />
    <path d="M-84 0q-12 2-16 14M-84 0q-10 6-10 18M-84 0q-6 8-4 20" className={styles.rose} />
  </>
)

const Dhol = () => (
  <>
    <path d="M66 58C84 16 176 10 198 48" className={styles.line} />
    <g transform="translate(130 84) rotate(-7)">
      <path d="M-58-34C-24-50 24-50 58-34V34C24 50-24 50-58 34Z" className={styles.body} />
      <path d="M-58-34C-24-50 24-50 58-34M-58 34C-24 50 24 50 58 34" className={styles.line} />
      <path
        d="M-54-34-36 43-18-45 0 46 18-46 36 43 54-34M-54 34-36-43-18 45 0-46 18 46 36-43 54 34"
        className={styles.thin}
      />
      <path d="M-20-45Q-32 0-20 45M20-45Q32 0 20 45" className={styles.rose} />
      <ellipse cx="-58" rx="13" ry="34" className={styles.head} />
      <ellipse cx="-58" rx="6" ry="17" className={styles.rose} />
      <path d="M58-34A13 34 0 0 1 58 34A13 34 0 0 0 58-34Z" className={styles.head} />
      <path d="M-58 36l-7 20M-58 36l0 22M-58 36l7 20" className={styles.rose} />
    </g>
    <path d="M34 22 68 84" className={styles.stick} />
    <path d="M232 12C226 40 216 52 196 62" className={styles.stick} />
    <path d="M46 66Q36 94 50 120M32 60Q18 94 36 128M18 54Q0 94 22 136" className={styles.pale} />
    <path d="M214 50Q226 76 216 106M228 44Q244 76 231 112M242 38Q262 76 246 118" className={styles.pale} />
  </>
)

const Ground = () => (
  <>
    <path d="M6 210Q260 236 514 210" className={styles.thin} />
    <path d="M24 212V54M496 212V54" className={styles.line} />
    <path d="M24 60Q94 128 178 96M496 60Q426 128 342 96" className={styles.line} />
    {LEAVES.map(([x, y]) => (
      <path key={x} d={`M${at(x, y)}q-8 10 0 23q8-13 0-23z`} className={styles.leaf} />
    ))}
    <path d="M192 210V98M328 210V98M184 98H336" className={styles.line} />
    <path d="M178 98C184 46 232 42 260 14C288 42 336 46 342 98" className={styles.body} />
    <path
      d="M178 98C184 46 232 42 260 14C288 42 336 46 342 98M206 98C212 60 244 52 260 14C276 52 308 60 314 98"
      className={styles.line}
    />
    <path d="M192 98q13 22 27 0q14 22 27 0q14 22 28 0q14 22 27 0q14 22 27 0" className={styles.rose} />
    <path d="M260 14V0l12 5-12 5" className={styles.rose} />
    {CIRCLE.map(([x, y, size]) => (
      <g key={x} transform={`translate(${at(x, y)}) scale(${short(size)})`}>
        <path d="M-3-14Q-5-4-14 4Q0 10 14 4Q5-4 3-14Z" className={styles.body} />
        <path d="M-3-14Q-5-4-14 4Q0 10 14 4Q5-4 3-14ZM-3-14-11-25M3-14 11-25" className={styles.line} />
        <path d="M-10 1Q0 6 10 1" className={styles.rose} />
        <circle cy="-20" r="3.4" className={styles.light} />
      </g>
    ))}
    <g transform="translate(260 210) scale(.72)">
      <Garbo />
    </g>
  </>
)

const LEAVES = steps(9)
  .slice(1, -1)
  .flatMap((t): (readonly [number, number])[] => {
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2]
    const [x, y] = [a * 24 + b * 94 + c * 178, a * 60 + b * 128 + c * 96]
    return [
      [x, y],
      [520 - x, y],
    ]
  })

const CIRCLE = [
  [58, 190, 1.2],
  [106, 198, 1.6],
  [160, 202, 2],
  [360, 202, 2],
  [414, 198, 1.6],
  [462, 190, 1.2],
] as const

const SCENES = {
  dancers: { box: '0 0 420 226', Drawing: Dancers },
  sticks: { box: '0 0 240 140', Drawing: CrossedSticks },
  lamp: { box: '0 0 240 186', Drawing: Lamp },
  dhol: { box: '0 0 260 152', Drawing: Dhol },
  ground: { box: '0 0 520 228', Drawing: Ground },
} as const satisfies Record<SceneName, { box: string; Drawing: () => React.ReactNode }>
