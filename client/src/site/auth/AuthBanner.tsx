import { AUTH_ERROR_SHOWN_MS } from '@garba/shared/constants'
import { CircleX, X } from 'lucide-react'
import { cx } from '../../kit/cx.ts'
import { IconButton } from '../../kit/IconButton.tsx'
import { type ShownFailure, setFailure } from '../../platform/identity/session.ts'
import { bannerText } from '../../platform/identity/signInFailure.ts'
import { useWords } from '../words.ts'
import styles from './AuthBanner.module.css'

/**
 * SPEC 2 "Global": why sign-in failed, shown for 5 s with a shrinking bar. Closing the chooser is no error: it is confirmed in
 * one neutral line, by the sign-in button itself if that was pressed.
 */
export default function AuthBanner({ failure }: { failure: ShownFailure }) {
  const { signInFailure, close } = useWords()
  const text = bannerText(failure.kind, signInFailure)
  if (failure.kind === 'cancelled')
    return failure.from === 'button' ? null : (
      <p className={cx(styles.banner, styles.neutral)} role="status">
        {text}
      </p>
    )
  return (
    <div className={styles.banner} role="alert">
      <CircleX aria-hidden="true" className={styles.icon} />
      <div>
        <p className={styles.title}>{signInFailure.bannerTitle}</p>
        <p>{text}</p>
      </div>
      <IconButton label={close} icon={<X aria-hidden="true" />} onClick={() => setFailure(null)} />
      <span className={styles.bar} style={{ animationDuration: `${AUTH_ERROR_SHOWN_MS}ms` }} aria-hidden="true" />
    </div>
  )
}
