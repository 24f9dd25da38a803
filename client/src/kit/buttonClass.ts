import styles from './Button.module.css'
import { cx } from './cx.ts'

export type ButtonTone = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'lg'

export interface ButtonLook {
  tone?: ButtonTone | undefined
  size?: ButtonSize | undefined
  /** Takes the whole line. */
  block?: boolean | undefined
  className?: string | undefined
}

/** A button's look, for links and other libraries' triggers. */
export const buttonClass = ({ tone = 'secondary', size = 'md', block, className }: ButtonLook = {}): string =>
  cx(styles.button, styles[tone], styles[size], block && styles.block, className)
