import { AUTH_ERROR_SHOWN_MS } from '@garba/shared/constants'
import { CircleX, X } from 'lucide-react'
import styles from './AuthNotice.module.css'
import { cx } from './cx.ts'
import { IconButton } from './IconButton.tsx'

interface AuthErrorProps {
  title: string
  text: string
  closeLabel: string
  onClose: () => void
}

export const AuthError = ({ title, text, closeLabel, onClose }: AuthErrorProps) => (
  <div className={styles.banner} role="alert">
    <CircleX className={styles.icon} />
    <div>
      <p className={styles.title}>{title}</p>
      <p>{text}</p>
    </div>
    <IconButton label={closeLabel} icon={<X />} onClick={onClose} />
    <span className={styles.bar} style={{ animationDuration: `${AUTH_ERROR_SHOWN_MS}ms` }} aria-hidden="true" />
  </div>
)

export const AuthLine = ({ text }: { text: string }) => (
  <p className={cx(styles.banner, styles.neutral)} role="status">
    {text}
  </p>
)
