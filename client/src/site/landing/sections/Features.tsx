import styles from './Features.module.css'
import { Section } from './Section.tsx'
import { useSectionWords } from './words.ts'

/** What the organiser promises; left out when there is nothing (SPEC 2). */
export const Features = ({ features }: { features: readonly string[] }) => {
  const words = useSectionWords()
  if (features.length === 0) return null
  return (
    <Section id="features" title={words.features.title}>
      <ul className={styles.list}>
        {features.map((feature) => (
          <li key={feature} className={styles.item}>
            <svg viewBox="-12 -12 24 24" className={styles.flower} aria-hidden="true">
              <circle r="9" pathLength="8" />
              <circle r="2.6" />
            </svg>
            {feature}
          </li>
        ))}
      </ul>
    </Section>
  )
}
