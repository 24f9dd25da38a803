import 'sonner/dist/styles.css'
import { TOAST_MS } from '@garba/shared/constants'
import { Toaster as Sonner, type ToasterProps as SonnerProps } from 'sonner'
import styles from './Toaster.module.css'

/** Another place, for a screen with something at the top right that must stay visible. */
interface ToasterProps extends Pick<SonnerProps, 'position' | 'offset' | 'mobileOffset'> {
  closeLabel?: string
}

/** Top right, dark, five seconds. One per page; use sonner's `toast`. */
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
