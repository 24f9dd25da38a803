import { lazy } from 'react'
import { AuthError, AuthLine } from '../../kit/AuthNotice.tsx'
import { type Sheet, type ShownFailure, setFailure } from '../../platform/identity/session.ts'
import { bannerText } from '../../platform/identity/signInFailure.ts'
import { useWords } from '../words.ts'

const SignInSheet = lazy(() => import('./SignInSheet.tsx'))

/** Why sign-in failed, and the other ways in. The sheet stays mounted, so that its closing animation can run. */
export default function AuthNotices({ failure, sheet }: { failure: ShownFailure | null; sheet: Sheet | undefined }) {
  return (
    <>
      {failure ? <AuthBanner key={failure.id} failure={failure} /> : null}
      {sheet ? <SignInSheet {...sheet} /> : null}
    </>
  )
}

/** Closing the chooser is no error: it is confirmed in one neutral line, by the sign-in button itself if that was pressed. */
const AuthBanner = ({ failure }: { failure: ShownFailure }) => {
  const { signInFailure, close } = useWords()
  const text = bannerText(failure.kind, signInFailure)
  if (failure.kind === 'cancelled') return failure.from === 'button' ? null : <AuthLine text={text} />
  return <AuthError title={signInFailure.bannerTitle} text={text} closeLabel={close} onClose={() => setFailure(null)} />
}
