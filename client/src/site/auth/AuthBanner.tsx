import { AuthError, AuthLine } from '../../kit/AuthNotice.tsx'
import { type ShownFailure, setFailure } from '../../platform/identity/session.ts'
import { bannerText } from '../../platform/identity/signInFailure.ts'
import { useWords } from '../words.ts'

/** Why sign-in failed. Closing the chooser is no error: it is confirmed in one neutral line, by the sign-in button itself if that was pressed. */
export default function AuthBanner({ failure }: { failure: ShownFailure }) {
  const { signInFailure, close } = useWords()
  const text = bannerText(failure.kind, signInFailure)
  if (failure.kind === 'cancelled') return failure.from === 'button' ? null : <AuthLine text={text} />
  return <AuthError title={signInFailure.bannerTitle} text={text} closeLabel={close} onClose={() => setFailure(null)} />
}
