import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import styles from './Button.module.css'
import { type ButtonLook, buttonClass } from './buttonClass.ts'

interface ButtonLinkProps extends Omit<LinkProps, 'className'>, ButtonLook {
  icon?: ReactNode
}

/** A route of the app in a button's clothes. */
export const ButtonLink = ({ tone, size, block, className, icon, children, ...rest }: ButtonLinkProps) => (
  <Link {...rest} className={buttonClass({ tone, size, block, className })}>
    {icon}
    <span className={styles.words}>{children}</span>
  </Link>
)
