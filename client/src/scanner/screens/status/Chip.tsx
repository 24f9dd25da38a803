import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../../kit/cx.ts'
import tones from '../../../kit/tones.module.css'
import styles from './Chip.module.css'
import type { Tone } from './useStatus.ts'

interface ChipProps {
  tone: Tone
  icon: ReactNode
  onPress: () => void
  children: ReactNode
}

/** A short fact that opens its details. */
export const Chip = ({ tone, icon, onPress, children }: ChipProps) => (
  <button type="button" className={cx(styles.chip, tones[tone])} onClick={onPress}>
    <span className={styles.icon} aria-hidden="true">
      {tone === 'bad' ? <TriangleAlert /> : icon}
    </span>
    <span className="tabular">{children}</span>
  </button>
)
