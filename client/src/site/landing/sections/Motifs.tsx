import drawings from './drawings.svg'
import styles from './Scene.module.css'

/** Small drawings for the feature cards. */
const MOTIFS = [
  { name: 'drum', means: /dhol|drum|music|band\b|singer|shehnai|ઢોલ|સંગીત|ગાયક|ढोल|संगीत|गायक/i },
  { name: 'sticks', means: /dandiya|stick|દાંડિયા|डांडिया/i },
  { name: 'circle', means: /circle|taa?li|garba\b|તાળી|ગરબા|ताली|गरबा/i },
  { name: 'chaniya', means: /chaniya|choli|kediy|dress|costume|ચણિયા|કેડિયા|चनिया|पोशाक/i },
  { name: 'plate', means: /food|stall|snack|fafda|jalebi|farali|નાસ્તા|ફાફડા|ભોજન|खाना|नाश्ता|भोजन/i },
  { name: 'diya', means: /aarti|arti\b|lamp|diya|garbo|આરતી|દીવ|ગરબો|आरती|दीप|दीया/i },
  { name: 'mirror', means: /prize|award|best|photo|ઇનામ|ફોટો|इनाम|पुरस्कार|फ़ोटो/i },
  { name: 'toran' },
  { name: 'feather' },
  { name: 'lotus' },
  { name: 'pot' },
  { name: 'bells' },
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

export const Motif = ({ drawing }: { drawing: number }) => (
  <svg viewBox="-24 -24 48 48" className={styles.motif} aria-hidden="true">
    <use href={`${drawings}#motif-${MOTIFS[drawing]?.name}`} />
  </svg>
)
