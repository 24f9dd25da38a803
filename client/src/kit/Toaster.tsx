import { TOAST_MS } from '@garba/shared/constants'
import { Toaster as Sonner } from 'sonner'
import styles from './Toaster.module.css'

/** Top right, dark, five seconds (SPEC 2, Global). One per page; say things with `toast` of sonner. */
export const Toaster = () => (
  <Sonner
    position="top-right"
    theme="dark"
    duration={TOAST_MS}
    closeButton
    visibleToasts={4}
    toastOptions={{ className: styles.toast ?? '' }}
  />
)
