import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../kit/Button.tsx'
import styles from './SelectionBar.module.css'

interface SelectionBarProps {
  /** "3 users selected". */
  summary: string
  clearLabel: string
  onClear: () => void
  children: ReactNode
}

/** Actions for the selected rows; stays visible while scrolling. */
export const SelectionBar = ({ summary, clearLabel, onClear, children }: SelectionBarProps) => (
  <div className={styles.bar}>
    <p role="status" className={styles.summary}>
      {summary}
    </p>
    <div className={styles.actions}>
      {children}
      <Button size="sm" tone="ghost" icon={<X aria-hidden="true" />} onClick={onClear}>
        {clearLabel}
      </Button>
    </div>
  </div>
)
