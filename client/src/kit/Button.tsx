import type { ComponentProps, ReactNode } from 'react'
import styles from './Button.module.css'
import { cx } from './cx.ts'
import { Spinner } from './Spinner.tsx'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'>, ButtonLook {
  icon?: ReactNode
  iconAfter?: ReactNode
  /** A request is running: shows a spinner instead of the icon and ignores presses. Change the text too ("Cancelling..."). */
  busy?: boolean | undefined
}

/** A busy button keeps the focus (aria-disabled, not disabled), so that keyboard users don't lose their place. */
export const Button = ({
  tone,
  size,
  block,
  className,
  icon,
  iconAfter,
  busy = false,
  children,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    {...rest}
    className={cx(buttonClass({ tone, size, block, className }), busy && styles.busy)}
    aria-disabled={busy || undefined}
    onClick={busy ? (event) => event.preventDefault() : rest.onClick}
  >
    {busy ? <Spinner size={18} /> : icon}
    <span className={styles.words}>{children}</span>
    {iconAfter}
  </button>
)

interface AnchorButtonProps extends Omit<ComponentProps<'a'>, 'className'>, ButtonLook {
  icon?: ReactNode
}

/** A link out of the app (mail, maps, download) that looks like a button. Inside the app, use ButtonLink. */
export const AnchorButton = ({ tone, size, block, className, icon, children, ...rest }: AnchorButtonProps) => (
  <a {...rest} className={buttonClass({ tone, size, block, className })}>
    {icon}
    <span className={styles.words}>{children}</span>
  </a>
)

export type ButtonTone = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'lg'

export interface ButtonLook {
  tone?: ButtonTone | undefined
  size?: ButtonSize | undefined
  block?: boolean | undefined
  className?: string | undefined
}

export const buttonClass = ({ tone = 'secondary', size = 'md', block, className }: ButtonLook = {}): string =>
  cx(styles.button, styles[tone], styles[size], block && styles.block, className)
