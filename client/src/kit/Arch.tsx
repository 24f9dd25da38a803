import type { ReactNode } from 'react'
import styles from './Arch.module.css'

/** A picture in an arch with a row of lamps around it, like the window of a haveli. `width` is what it takes at most (px). */
export const Arch = ({ width, children }: { width: number; children: ReactNode }) => (
  <div className={styles.arch} style={{ maxWidth: width }}>
    <div className={styles.window}>{children}</div>
  </div>
)
