import type { ComponentProps, ReactNode } from 'react'
import styles from './Button.module.css'
import { type ButtonLook, buttonClass } from './buttonClass.ts'
import { cx } from './cx.ts'
import { Spinner } from './Spinner.tsx'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'>, ButtonLook {
  /** Before the words. */
  icon?: ReactNode
  /** A request runs: a spinner in the icon's place, no second press. Change the words too ("Cancelling..."). */
  busy?: boolean | undefined
}

/** Busy keeps the focus (aria-disabled, not disabled), so that a keyboard user is not thrown to the page's start. */
export const Button = ({ tone, size, block, className, icon, busy = false, children, ...rest }: ButtonProps) => (
  <button
    type="button"
    {...rest}
    className={cx(buttonClass({ tone, size, block, className }), busy && styles.busy)}
    aria-disabled={busy || undefined}
    onClick={busy ? (event) => event.preventDefault() : rest.onClick}
  >
    {busy ? <Spinner size={18} /> : icon}
    <span className={styles.words}>{children}</span>
  </button>
)

interface AnchorButtonProps extends Omit<ComponentProps<'a'>, 'className'>, ButtonLook {
  icon?: ReactNode
}

/** A link that leaves the app (mail, maps, download) in a button's clothes. Inside the app: ButtonLink. */
export const AnchorButton = ({ tone, size, block, className, icon, children, ...rest }: AnchorButtonProps) => (
  <a {...rest} className={buttonClass({ tone, size, block, className })}>
    {icon}
    <span className={styles.words}>{children}</span>
  </a>
)
