import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../kit/Button.tsx'
import styles from './SelectionBar.module.css'

interface SelectionBarProps {
  /** "3 users selected". */
  told: string
  clearLabel: string
  onClear: () => void
  children: ReactNode
}

/** What can be done with the selected rows; stays in sight while scrolling. */
export const SelectionBar = ({ told, clearLabel, onClear, children }: SelectionBarProps) => (
  <div className={styles.bar}>
    <p role="status" className={styles.told}>
      {told}
    </p>
    <div className={styles.actions}>
      {children}
      <Button size="sm" tone="ghost" icon={<X aria-hidden="true" />} onClick={onClear}>
        {clearLabel}
      </Button>
    </div>
  </div>
)
