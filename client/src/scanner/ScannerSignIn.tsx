import { SHELL } from '@garba/shared/messages/common'
import { PAIRING } from '@garba/shared/messages/pairing'
import { QrCode } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { useConfig } from '../platform/config.ts'
import { signIn, warmUpSignIn } from '../platform/identity/actions.ts'
import { useSignInFailure } from '../platform/identity/session.ts'
import { buttonText } from '../platform/identity/signInFailure.ts'
import { usePageTitle } from '../platform/page.ts'
import { goTo } from './core/useView.ts'
import { Notice } from './screens/Center.tsx'

const UnsentHere = lazy(() => import('./screens/UnsentHere.tsx'))

/** The installed scanner's own sign-in (DECISIONS 4). */
export const ScannerSignIn = () => {
  const failure = useSignInFailure()
  const demo = useConfig(({ config }) => config?.demo ?? false)
  usePageTitle(SHELL.scanner.title)
  return (
    <Notice title={SHELL.scanner.title} text={SHELL.scanner.signInFirst}>
      <Button
        tone="primary"
        size="lg"
        onPointerEnter={warmUpSignIn}
        onFocus={warmUpSignIn}
        onClick={() => void signIn()}
      >
        {SHELL.signInWithGoogle}
      </Button>
      <Button size="lg" icon={<QrCode aria-hidden="true" />} onClick={() => goTo('pair')}>
        {PAIRING.open}
      </Button>
      {failure === null ? null : (
        <Banner tone="bad" live="alert">
          <p>{buttonText(failure.kind)}</p>
        </Banner>
      )}
      <Suspense fallback={null}>
        <UnsentHere />
      </Suspense>
      {demo ? <p>{SHELL.demo.note}</p> : null}
    </Notice>
  )
}
