import type { ReactNode } from 'react'
import { cx } from '../../../kit/cx.ts'
import { Scene, type SceneName } from './Scene.tsx'
import styles from './Section.module.css'

interface SectionProps {
  /** The anchor of links within the page. */
  id: string
  title: string
  /** Hides the title from all but screen readers, because the section shows it in its own way. */
  quietTitle?: boolean
  scene?: SceneName
  /** The scene's part of the story, above the title. */
  line?: string
  /** Puts the scene beside the text on a wide screen. */
  wide?: boolean
  children: ReactNode
}

/** A thread of light leads to the section's scene from the section above. */
export const Section = ({ id, title, quietTitle = false, scene, line, wide = false, children }: SectionProps) => (
  <section id={id} className={cx(styles.section, wide && styles.wide)} aria-labelledby={`${id}-title`} tabIndex={-1}>
    {scene === undefined ? null : (
      <div className={styles.scene}>
        <Scene name={scene} />
      </div>
    )}
    <div>
      {line === undefined ? null : <p className={styles.line}>{line}</p>}
      <h2 id={`${id}-title`} className={quietTitle ? 'spoken' : styles.title}>
        {title}
      </h2>
      {children}
    </div>
  </section>
)
