import { lazy } from 'react'
import { AuthError, AuthLine } from '../../kit/AuthNotice.tsx'
import { type Sheet, type ShownFailure, setFailure } from '../../platform/identity/session.ts'
import { bannerText } from '../../platform/identity/signInFailure.ts'
import { useWords } from '../words.ts'

const SignInSheet = lazy(() => import('./SignInSheet.tsx'))

/** The sheet stays mounted, so that its closing animation can run. */
export default function AuthNotices({ failure, sheet }: { failure: ShownFailure | null; sheet: Sheet | undefined }) {
  return (
    <>
      {failure ? <AuthBanner key={failure.id} failure={failure} /> : null}
      {sheet ? <SignInSheet {...sheet} /> : null}
    </>
  )
}

/** Closing the chooser is not an error, so it gets a neutral line, beside the sign-in button if that was pressed. */
const AuthBanner = ({ failure }: { failure: ShownFailure }) => {
  const { signInFailure, close } = useWords()
  const text = bannerText(failure.kind, signInFailure)
  if (failure.kind === 'cancelled') return failure.from === 'button' ? null : <AuthLine text={text} />
  return <AuthError title={signInFailure.bannerTitle} text={text} closeLabel={close} onClose={() => setFailure(null)} />
}
