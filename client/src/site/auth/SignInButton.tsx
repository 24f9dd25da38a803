import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import type { ButtonLook } from '../../kit/buttonClass.ts'
import { signIn, warmUpSignIn } from '../../platform/identity/actions.ts'
import { useSession, useSignInFailure } from '../../platform/identity/session.ts'
import { buttonText, type SignInFailure } from '../../platform/identity/signInFailure.ts'
import { useWords } from '../words.ts'
import { GoogleMark } from './GoogleMark.tsx'
import styles from './SignInButton.module.css'

interface SignInButtonProps extends ButtonLook {
  /** After the user is signed in. */
  onSignedIn?: () => void
}

/** Sign In with Google, with SPEC 8's words for a failure beside it for 5 s. */
export const SignInButton = ({ onSignedIn, ...look }: SignInButtonProps) => {
  const { header, signInFailure } = useWords()
  const session = useSession()
  const [pressed, setPressed] = useState(false)
  const failure = useOwnFailure(pressed)
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
        icon={<GoogleMark />}
        busy={session.at === 'loading'}
        onPointerEnter={warmUpSignIn}
        onFocus={warmUpSignIn}
        onClick={() => void press()}
      >
        {session.at === 'loading' ? header.signingIn : header.signIn}
      </Button>
      {failure === null ? null : (
        <span className={styles.error} role="alert">
          {buttonText(failure, signInFailure)}
        </span>
      )}
    </span>
  )
}

/** The failure of this button's own press, for 5 s (SPEC 8). */
function useOwnFailure(pressed: boolean): SignInFailure | null {
  const failure = useSignInFailure()
  return pressed ? (failure?.kind ?? null) : null
}
