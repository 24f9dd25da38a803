import type { ReactNode } from 'react'
import { BandhaniDivider } from '../../../kit/BandhaniDivider.tsx'
import styles from './Section.module.css'

interface SectionProps {
  /** For links within the page. */
  id: string
  title: string
  /** Only for screen readers: the section shows its title in its own way. */
  quietTitle?: boolean
  children: ReactNode
}

/** One section of the landing page, separated from the one above by a row of bandhani dots. */
export const Section = ({ id, title, quietTitle = false, children }: SectionProps) => (
  <section id={id} className={styles.section} aria-labelledby={`${id}-title`} tabIndex={-1}>
    <BandhaniDivider className={styles.divider} />
    <h2 id={`${id}-title`} className={quietTitle ? styles.quiet : styles.title}>
      {title}
    </h2>
    {children}
  </section>
)
