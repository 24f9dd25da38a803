import styles from './Scene.module.css'

/** Small drawings for the feature cards, in a box of 48 around 0,0. */

const Sticks = () => (
  <>
    <path d="M-20 16 16-20M20 16-16-20" className={styles.stick} />
    <path
      d="M-12 13-15 10M-9 10-12 7M12-17 15-14M9-14 12-11M12 13 15 10M9 10 12 7M-12-17-15-14M-9-14-12-11"
      className={styles.rose}
    />
    <path d="M-20 16l-3 5M-20 16l0 6M20 16l3 5M20 16l0 6" className={styles.pale} />
  </>
)

const Drum = () => (
  <>
    <g transform="rotate(-10)">
      <path d="M-16-10C-6-15 6-15 16-10V10C6 15-6 15-16 10Z" className={styles.body} />
      <path d="M-16-10C-6-15 6-15 16-10M-16 10C-6 15 6 15 16 10" className={styles.line} />
      <path d="M-13-11-5 13 0-14 5 13 13-11" className={styles.rose} />
      <ellipse cx="-16" rx="4.5" ry="10" className={styles.head} />
      <path d="M16-10A4.5 10 0 0 1 16 10A4.5 10 0 0 0 16-10Z" className={styles.head} />
    </g>
    <path d="M-14-14C-8-24 8-25 15-15" className={styles.line} />
  </>
)

const Diya = () => (
  <>
    <path d="M-20 4Q-14 18 0 18Q14 18 20 4Q10 10 0 10Q-10 10-20 4Z" className={styles.head} />
    <path d="M-13 11Q0 17 13 11" className={styles.rose} />
    <path d="M0 7C-10-1-5-9 0-20 5-9 10-1 0 7Z" className={styles.flame} />
    <path d="M0 5C-4 0-2-4 0-8 2-4 4 0 0 5Z" className={styles.light} />
    <path d="M-14-8l-4-3M-11-15l-3-4M14-8l4-3M11-15l3-4" className={styles.pale} />
  </>
)

const Chaniya = () => (
  <>
    <path d="M-6-18H6Q9-2 21 12Q0 22-21 12Q-9-2-6-18Z" className={styles.body} />
    <path d="M-6-18H6Q9-2 21 12Q0 22-21 12Q-9-2-6-18ZM-2-18Q-3 0-8 16M2-18Q3 0 8 16" className={styles.line} />
    <path d="M-17 7Q0 16 17 7M-12 0Q0 7 12 0" className={styles.rose} />
    <path d="M6-18q7 3 9 10M6-18q5 6 4 12" className={styles.pale} />
  </>
)

const EIGHTHS = [0, 45, 90, 135, 180, 225, 270, 315]

const Circle = () => (
  <>
    {EIGHTHS.map((turn) => (
      <g key={turn} transform={`rotate(${turn}) translate(0 -16)`}>
        <path d="M-6 3Q0-8 6 3Q0 6-6 3Z" className={styles.head} />
      </g>
    ))}
    <circle r="8" className={styles.rose} />
    <path d="M0 5C-5 1-3-3 0-7 3-3 5 1 0 5Z" className={styles.light} />
  </>
)

const Plate = () => (
  <>
    <ellipse cy="10" rx="21" ry="8" className={styles.head} />
    <ellipse cy="9" rx="14" ry="4.5" className={styles.rose} />
    <path d="M1-4a3 3 0 1 1-4 3a7 7 0 0 1 12-5a9 9 0 1 1-14-3a11 11 0 0 1 14-1" className={styles.flame} />
    <path d="M-9-14q-3-3 0-6M0-16q-3-3 0-6M9-14q-3-3 0-6" className={styles.pale} />
  </>
)

const Toran = () => (
  <>
    <path d="M-21-12Q0-4 21-12" className={styles.line} />
    <path
      d="M-16-10q-5 9 0 18q5-9 0-18zM-5-8q-5 11 0 22q5-11 0-22zM6-8q-5 11 0 22q5-11 0-22zM16-10q-5 9 0 18q5-9 0-18z"
      className={styles.leaf}
    />
    <path d="M-21-12v-5M21-12v-5" className={styles.rose} />
  </>
)

const Feather = () => (
  <>
    <path d="M-18 22Q-12 8-2-2" className={styles.line} />
    <path d="M-4 4C-16-8-8-24 8-22 22-20 22-2 10 4 5 7 0 7-4 4Z" className={styles.head} />
    <path d="M1 1C-8-6-4-17 7-16 16-15 16-3 9 0 6 1 3 2 1 1Z" className={styles.rose} />
    <path d="M4-3C-1-7 2-12 7-11 11-10 11-4 8-3Z" className={styles.light} />
    <path d="M-7 8l-9-3M-7 8l1 9M-12 13l-7-3M-12 13l1 7" className={styles.pale} />
  </>
)

const Pot = () => (
  <>
    <path d="M-8 19H8C22 12 20-8 7-9H-7C-20-8-22 12-8 19Z" className={styles.head} />
    <path d="M-16 0Q0 6 16 0M-15 9Q0 15 15 9" className={styles.rose} />
    <path d="M-10-9H10M0-9q-9-4-12-11q9 0 12 11q3-11 12-11q-3 7-12 11" className={styles.line} />
    <path d="M0-11q-5-5 0-12q5 7 0 12" className={styles.flame} />
  </>
)

const Mirror = () => (
  <>
    {EIGHTHS.map((turn) => (
      <path key={turn} transform={`rotate(${turn})`} d="M-5-10Q0-26 5-10" className={styles.line} />
    ))}
    <circle r="10" className={styles.head} />
    <circle r="6.5" className={styles.rose} />
    <path d="M-3 2 2-3M0 3 3 0" className={styles.pale} />
  </>
)

const Bells = () => (
  <>
    <path d="M-20-9Q0 3 20-9" className={styles.line} />
    <path d="M-14-5a6 6 0 1 0 .1 0zM0-2a7 7 0 1 0 .1 0zM14-5a6 6 0 1 0 .1 0z" className={styles.head} />
    <path d="M-17 1h6M-4 5h8M11 1h6M-14 1v5M0 5v6M14 1v5" className={styles.rose} />
    <path d="M-20-9q-1-5 3-7M20-9q1-5-3-7" className={styles.pale} />
  </>
)

const Lotus = () => (
  <>
    <path d="M0 14C-16 14-22 4-22-4-14-4-6 2 0 14C6 2 14-4 22-4 22 4 16 14 0 14Z" className={styles.body} />
    <path d="M0 14C-16 14-22 4-22-4-14-4-6 2 0 14C6 2 14-4 22-4 22 4 16 14 0 14Z" className={styles.line} />
    <path d="M0 14C-12 6-13-8-9-14-3-8 0 0 0 14C0 0 3-8 9-14 13-8 12 6 0 14Z" className={styles.head} />
    <path d="M0 14C-6 4-5-12 0-20 5-12 6 4 0 14Z" className={styles.flame} />
    <path d="M-14 19H14" className={styles.rose} />
  </>
)

const MOTIFS = [
  { Drawing: Drum, means: /dhol|drum|music|band\b|singer|shehnai|ઢોલ|સંગીત|ગાયક|ढोल|संगीत|गायक/i },
  { Drawing: Sticks, means: /dandiya|stick|દાંડિયા|डांडिया/i },
  { Drawing: Circle, means: /circle|taa?li|garba\b|તાળી|ગરબા|ताली|गरबा/i },
  { Drawing: Chaniya, means: /chaniya|choli|kediy|dress|costume|ચણિયા|કેડિયા|चनिया|पोशाक/i },
  { Drawing: Plate, means: /food|stall|snack|fafda|jalebi|farali|નાસ્તા|ફાફડા|ભોજન|खाना|नाश्ता|भोजन/i },
  { Drawing: Diya, means: /aarti|arti\b|lamp|diya|garbo|આરતી|દીવ|ગરબો|आरती|दीप|दीया/i },
  { Drawing: Mirror, means: /prize|award|best|photo|ઇનામ|ફોટો|इनाम|पुरस्कार|फ़ोटो/i },
  { Drawing: Toran },
  { Drawing: Feather },
  { Drawing: Lotus },
  { Drawing: Pot },
  { Drawing: Bells },
] as const

/** Chooses a drawing for each feature, matching its text if possible; none twice while others are left. */
export function drawingsFor(features: readonly string[]): readonly number[] {
  const chosen = features.map(() => -1)
  const take = (feature: number, drawing: number) => {
    if (chosen[feature] === -1 && !chosen.includes(drawing)) chosen[feature] = drawing
  }
  for (const [index, text] of features.entries())
    for (const [drawing, motif] of MOTIFS.entries())
      if ('means' in motif && motif.means.test(text)) take(index, drawing)
  const spare = MOTIFS.map((_, drawing) => drawing).toReversed()
  return chosen.map((drawing, index) => {
    if (drawing !== -1) return drawing
    const left = spare.filter((one) => !chosen.includes(one))
    chosen[index] = left[0] ?? index % MOTIFS.length
    return chosen[index]
  })
}

export const Motif = ({ drawing }: { drawing: number }) => {
  const { Drawing } = MOTIFS[drawing] ?? MOTIFS[0]
  return (
    <svg viewBox="-24 -24 48 48" className={styles.motif} aria-hidden="true">
      <Drawing />
    </svg>
  )
}
