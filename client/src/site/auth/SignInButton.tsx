import { useState } from 'react'
import { Button, type ButtonLook } from '../../kit/Button.tsx'
import { cx } from '../../kit/cx.ts'
import { signIn, warmUpSignIn } from '../../platform/identity/actions.ts'
import { useSignInFailure, useSigningIn } from '../../platform/identity/session.ts'
import { buttonText, type SignInFailure } from '../../platform/identity/signInFailure.ts'
import { useWords } from '../words.ts'
import styles from './SignInButton.module.css'

export const SignInButton = (look: ButtonLook) => {
  const { header, signInFailure } = useWords()
  const busy = useSigningIn()
  const [pressed, setPressed] = useState(false)
  const failure = useOwnFailure(pressed)
  const press = () => {
    setPressed(true)
    void signIn('button')
  }
  return (
    <span className={styles.wrap}>
      <Button
        tone="primary"
        {...look}
        icon={<GoogleMark />}
        busy={busy}
        onPointerEnter={warmUpSignIn}
        onFocus={warmUpSignIn}
        onClick={press}
      >
        {busy ? header.signingIn : header.signIn}
      </Button>
      {failure === null ? null : (
        <span
          className={cx(styles.error, failure === 'cancelled' && styles.neutral)}
          role={failure === 'cancelled' ? 'status' : 'alert'}
        >
          {buttonText(failure, signInFailure)}
        </span>
      )}
    </span>
  )
}

function useOwnFailure(pressed: boolean): SignInFailure | null {
  const failure = useSignInFailure()
  return pressed && failure?.from === 'button' ? failure.kind : null
}

/** Google's logo, in its own colours as its guidelines require. */
const GoogleMark = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path
      fill="#4285F4"
      d="M22.56 12.25c0-.78-.07-1.53-.2-2.25H12v4.26h5.92a5.06 5.06 0 0 1-2.21 3.31v2.77h3.57c2.08-1.92 3.28-4.74 3.28-8.09z"
    />
    <path
      fill="#34A853"
      d="M12 23c2.97 0 5.46-.98 7.28-2.66l-3.57-2.77c-.98.66-2.23 1.06-3.71 1.06-2.86 0-5.29-1.93-6.16-4.53H2.18v2.84A11 11 0 0 0 12 23z"
    />
    <path fill="#FBBC05" d="M5.84 14.1a6.6 6.6 0 0 1 0-4.2V7.06H2.18a11 11 0 0 0 0 9.88z" />
    <path
      fill="#EA4335"
      d="M12 5.38c1.62 0 3.06.56 4.21 1.64l3.15-3.15A11 11 0 0 0 2.18 7.06L5.84 9.9C6.71 7.3 9.14 5.38 12 5.38z"
    />
  </svg>
)
