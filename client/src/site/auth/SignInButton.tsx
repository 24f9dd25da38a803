import { AUTH_ERROR_SHOWN_MS } from '@garba/shared/constants'
import { useEffect, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import type { ButtonLook } from '../../kit/buttonClass.ts'
import { signIn, warmUpSignIn } from '../../platform/identity/actions.ts'
import { useSession, useSignInFailure } from '../../platform/identity/session.ts'
import { buttonText } from '../../platform/identity/signInFailure.ts'
import { useWords } from '../words.ts'
import styles from './SignInButton.module.css'

interface SignInButtonProps extends ButtonLook {
  /** After the user is signed in. */
  onSignedIn?: () => void
}

/** Sign In with Google, with SPEC 8's words for a failure beside it for 5 s. */
export const SignInButton = ({ onSignedIn, ...look }: SignInButtonProps) => {
  const { header } = useWords()
  const session = useSession()
  const [pressed, setPressed] = useState(false)
  const error = useButtonError(pressed)
  const press = async () => {
    setPressed(true)
    const after = await signIn()
    if (after.at === 'signedIn' || after.at === 'identityOnly') onSignedIn?.()
  }
  return (
    <span className={styles.wrap}>
      <Button
        tone="primary"
        {...look}
        busy={session.at === 'loading'}
        onPointerEnter={warmUpSignIn}
        onFocus={warmUpSignIn}
        onClick={() => void press()}
      >
        {session.at === 'loading' ? header.signingIn : header.signIn}
      </Button>
      {error === null ? null : (
        <span className={styles.error} role="alert">
          {error}
        </span>
      )}
    </span>
  )
}

/** The failure of this button's own press, for 5 s (SPEC 8). */
function useButtonError(pressed: boolean): string | null {
  const failure = useSignInFailure()
  const [over, setOver] = useState(0)
  useEffect(() => {
    if (!failure) return
    const timer = setTimeout(() => setOver(failure.id), AUTH_ERROR_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [failure])
  return pressed && failure && failure.id > over ? buttonText(failure.kind) : null
}
