import 'sonner/dist/styles.css'
import { TOAST_MS } from '@garba/shared/constants'
import { Toaster as Sonner, type ToasterProps as SonnerProps } from 'sonner'
import styles from './Toaster.module.css'

interface ToasterProps extends Pick<SonnerProps, 'position' | 'offset' | 'mobileOffset'> {
  closeLabel?: string
}

/** One per page; use sonner's `toast`. */
export const Toaster = ({ position = 'top-right', closeLabel = 'Close', ...offsets }: ToasterProps) => (
  <Sonner
    {...offsets}
    className={styles.toaster ?? ''}
    position={position}
    theme="dark"
    duration={TOAST_MS}
    closeButton
    visibleToasts={4}
    toastOptions={{ className: styles.toast ?? '', closeButtonAriaLabel: closeLabel }}
  />
)
