import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import styles from './Button.module.css'
import { type ButtonLook, buttonClass } from './Button.tsx'

interface ButtonLinkProps extends Omit<LinkProps, 'className'>, ButtonLook {
  icon?: ReactNode
}

/** A link to a route of the app that looks like a button. */
export const ButtonLink = ({ tone, size, block, className, icon, children, ...rest }: ButtonLinkProps) => (
  <Link {...rest} className={buttonClass({ tone, size, block, className })}>
    {icon}
    <span className={styles.words}>{children}</span>
  </Link>
)
