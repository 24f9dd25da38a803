import 'sonner/dist/styles.css'
import { TOAST_MS } from '@garba/shared/constants'
import { Toaster as Sonner, type ToasterProps as SonnerProps } from 'sonner'
import styles from './Toaster.module.css'

/** Distance from the edges, for a screen with something there that must stay visible. */
type ToasterProps = Pick<SonnerProps, 'offset' | 'mobileOffset'>

/** Top right, dark, five seconds (SPEC 2, Global). One per page; use sonner's `toast`. */
export const Toaster = (offsets: ToasterProps) => (
  <Sonner
    {...offsets}
    className={styles.toaster ?? ''}
    position="top-right"
    theme="dark"
    duration={TOAST_MS}
    closeButton
    visibleToasts={4}
    toastOptions={{ className: styles.toast ?? '' }}
  />
)
