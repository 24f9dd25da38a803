import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import styles from './Button.module.css'
import { type ButtonLook, buttonClass } from './Button.tsx'

interface ButtonLinkProps extends Omit<LinkProps, 'className'>, Omit<ButtonLook, 'block'> {
  icon?: ReactNode
}

export const ButtonLink = ({ tone, size, className, icon, children, ...rest }: ButtonLinkProps) => (
  <Link {...rest} className={buttonClass({ tone, size, className })}>
    {icon}
    <span className={styles.words}>{children}</span>
  </Link>
)
