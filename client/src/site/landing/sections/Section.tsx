import type { ReactNode } from 'react'
import { cx } from '../../../kit/cx.ts'
import { Scene, type SceneName } from './Scene.tsx'
import styles from './Section.module.css'

interface SectionProps {
  id: string
  title: string
  quietTitle?: boolean
  scene?: SceneName
  line?: string
  wide?: boolean
  children: ReactNode
}

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
