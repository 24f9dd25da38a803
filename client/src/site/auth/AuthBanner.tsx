import { AUTH_ERROR_SHOWN_MS } from '@garba/shared/constants'
import { CircleX, X } from 'lucide-react'
import { IconButton } from '../../kit/IconButton.tsx'
import { type ShownFailure, setFailure } from '../../platform/identity/session.ts'
import { bannerText } from '../../platform/identity/signInFailure.ts'
import { useWords } from '../words.ts'
import styles from './AuthBanner.module.css'

/** SPEC 2 "Global": why sign-in failed, shown for 5 s with a shrinking bar. */
export default function AuthBanner({ failure }: { failure: ShownFailure }) {
  const { signInFailure, close } = useWords()
  return (
    <div className={styles.banner} role="alert">
      <CircleX aria-hidden="true" className={styles.icon} />
      <div>
        <p className={styles.title}>{signInFailure.bannerTitle}</p>
        <p>{bannerText(failure.kind, signInFailure)}</p>
      </div>
      <IconButton label={close} icon={<X aria-hidden="true" />} onClick={() => setFailure(null)} />
      <span className={styles.bar} style={{ animationDuration: `${AUTH_ERROR_SHOWN_MS}ms` }} aria-hidden="true" />
    </div>
  )
}
