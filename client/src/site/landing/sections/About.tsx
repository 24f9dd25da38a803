import type { GarbaEvent } from '@garba/shared/contracts/event'
import { cx } from '../../../kit/cx.ts'
import type { EventFacts } from '../facts.ts'
import { LazyPicture } from '../LazyPicture.tsx'
import styles from './About.module.css'
import { Section } from './Section.tsx'
import { useSectionWords } from './words.ts'

/** The organiser's own words, a paragraph a line, beside the picture where there is one. */
export const About = ({ event, facts }: { event: GarbaEvent | null; facts: EventFacts }) => {
  const { about } = useSectionWords()
  const picture = event?.eventImage ?? null
  const paragraphs = [facts.description, ...(event?.aboutText ?? '').split(/\n+/)].map((text) => text.trim())
  return (
    <Section id="about" title={about.title}>
      <div className={cx(styles.columns, picture === null && styles.alone)}>
        <div className={styles.words}>
          {paragraphs.filter(Boolean).map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
        {picture === null ? null : (
          <div className={styles.arch}>
            <LazyPicture src={picture} alt={about.picture} unavailable={about.noPicture} />
          </div>
        )}
      </div>
    </Section>
  )
}
