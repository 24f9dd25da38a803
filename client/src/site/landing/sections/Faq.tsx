import { ChevronDown } from 'lucide-react'
import styles from './Faq.module.css'
import { Section } from './Section.tsx'
import { useSectionWords } from './words.ts'

/** The browser's own accordion: of details with one name, one is open at a time. */
export const Faq = () => {
  const { faq } = useSectionWords()
  return (
    <Section id="faq" title={faq.title}>
      <div className={styles.list}>
        {faq.items.map(({ question, answer }) => (
          <details key={question} name="faq" className={styles.item}>
            <summary className={styles.question}>
              {question}
              <ChevronDown aria-hidden="true" />
            </summary>
            <p className={styles.answer}>{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  )
}
