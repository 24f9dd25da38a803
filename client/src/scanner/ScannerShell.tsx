import { ROLE_LABELS, SHELL, SIGN_IN } from '@garba/shared/messages/common'
import { QrCode } from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { toast } from 'sonner'
import { AuthError } from '../kit/AuthNotice.tsx'
import { Button } from '../kit/Button.tsx'
import { createLazyComponent, LateAccountChooser } from '../kit/late.tsx'
import RehearsalMark from '../kit/RehearsalMark.tsx'
import { Spinner } from '../kit/Spinner.tsx'
import { Surface } from '../kit/Surface.tsx'
import { Toaster } from '../kit/Toaster.tsx'
import { useConfig } from '../platform/config.ts'
import { reportCrash } from '../platform/crash.ts'
import { signIn, signOut, warmUpSignIn } from '../platform/identity/actions.ts'
import { useDemoChooser } from '../platform/identity/chooser.ts'
import {
  findSessionRole,
  setFailure,
  useSession,
  useSessionLost,
  useSignInFailure,
  useSigningOut,
} from '../platform/identity/session.ts'
import { bannerText } from '../platform/identity/signInFailure.ts'
import { listenToScanner, type ScannerInput } from '../platform/keys/scannerKeys.ts'
import { useLanguage } from '../platform/language.ts'
import { usePageTitle } from '../platform/page.ts'
import { isInstalled } from '../platform/pwa/install.ts'
import { saveWantedScanner } from '../platform/store/local.ts'
import { usePairing } from './core/pairing.ts'
import { goTo, useOverPicture, useView } from './core/useView.ts'
import styles from './ScannerShell.module.css'
import { Center, Notice } from './screens/scan/Center.tsx'
import { FRAME, PAIRING, SCANNER_KEYS } from './texts/phone.ts'
import { SCAN_NOTES, SCANNER } from './texts/scanner.ts'

const UnsentHere = lazy(() => import('./screens/lists/UnsentHere.tsx'))

const FREE = { bottom: 'var(--toast-bottom)', left: 'var(--toast-left)', right: 'var(--toast-right)' }
const OVER_PICTURE = { position: 'bottom-center', offset: FREE, mobileOffset: FREE } as const

function sayNotHere(input: ScannerInput): void {
  const notes = { code: SCAN_NOTES.notHere, otherLayout: SCAN_NOTES.otherLayout.detail }
  const text = input.type === 'other' ? SCANNER_KEYS.taken(input.text) : notes[input.type]
  toast.error(text, { id: text })
}

export const ScannerShell = () => {
  const language = useLanguage((store) => store.language)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  useEffect(() => listenToScanner(sayNotHere, { atGate: true }), [])
  return (
    <ErrorBoundary FallbackComponent={Crash} onError={reportCrash}>
      <Surface tone="night" page>
        {/* The texts of a language are read while a screen is drawn: another language draws all anew. */}
        <Access key={language} />
        <DemoChooser />
        <Rehearsal />
        <Toasts />
      </Surface>
    </ErrorBoundary>
  )
}

const Toasts = () => {
  const over = useOverPicture((store) => store.over)
  return (
    <div className={styles.toasts}>
      <Toaster {...(over ? OVER_PICTURE : {})} />
    </div>
  )
}

const Rehearsal = () => (useConfig(({ config }) => config?.rehearsal ?? false) ? <RehearsalMark /> : null)

const DemoChooser = () => <LateAccountChooser {...useDemoChooser()} />

/** A paired phone scans with its own key, and nobody signs in; pairing is open to everyone. */
const Access = () => {
  const pairing = usePairing(({ state }) => state.type)
  const view = useView()
  if (pairing === 'reading') return <Loading />
  if (pairing === 'unreadable') return <Unreadable />
  if (view === 'pair') return <PairScreen />
  return pairing === 'paired' ? <ScannerApp /> : <OfAccount />
}

const Unreadable = () => (
  <Notice title={PAIRING.unreadable.title} text={PAIRING.unreadable.text}>
    <Button tone="primary" onClick={() => location.reload()}>
      {PAIRING.unreadable.action}
    </Button>
  </Notice>
)

const OfAccount = () => {
  const session = useSession()
  if (session.type === 'initializing' || session.type === 'loading') return <Loading />
  const role = findSessionRole(session)
  // A visitor goes to /, but the installed app has its own sign-in inside its scope.
  if (role === null) return isInstalled() ? <ScannerSignIn /> : <LeaveToSignIn />
  wasIn = true
  if (role !== 'qrchecker')
    return isInstalled() ? <WrongRole role={ROLE_LABELS[role] ?? role} /> : <Leave to="/dashboard" />
  return <ScannerApp />
}

let wasIn = false

/** After signing in, a checker returns to the page they opened. */
const LeaveToSignIn = () => {
  const lost = useSessionLost()
  useEffect(() => {
    if (!wasIn || lost) saveWantedScanner(location.pathname)
  }, [lost])
  return <Leave to="/" />
}

/** The other pages belong to the site's shell, so the browser loads them. */
const Leave = ({ to }: { to: string }) => {
  useEffect(() => location.replace(to), [to])
  return <Wait text={FRAME.redirecting} />
}

const Loading = () => <Wait text={FRAME.loading} />

const Wait = ({ text }: { text: string }) => (
  <Center>
    <Spinner size={32} />
    <p role="status">{text}</p>
  </Center>
)

export const ScannerApp = createLazyComponent(() => import('./ScannerApp.tsx'), <Loading />)

const PairScreen = createLazyComponent(() => import('./screens/phone/PairScreen.tsx'), <Loading />)

const WrongRole = ({ role }: { role: string }) => {
  const signingOut = useSigningOut()
  return (
    <Notice title={SCANNER.wrongRole} text={SCANNER.wrongRoleDetail(role)}>
      <Button tone="primary" busy={signingOut} onClick={() => void signOut()}>
        {signingOut ? FRAME.signingOut : FRAME.signOut}
      </Button>
      <Suspense fallback={null}>
        <UnsentHere />
      </Suspense>
    </Notice>
  )
}

const Crash = () => (
  <Surface tone="night" page>
    <Center>
      <h1 role="alert">{FRAME.crash.title}</h1>
      <p>{FRAME.crash.detail}</p>
      <Button tone="primary" onClick={() => location.reload()}>
        {FRAME.crash.action}
      </Button>
    </Center>
  </Surface>
)

const ScannerSignIn = () => {
  const failure = useSignInFailure()
  const demo = useConfig(({ config }) => config?.demo ?? false)
  usePageTitle(SCANNER.title)
  return (
    <Notice title={SCANNER.title} text={SCANNER.signInFirst}>
      <Button
        tone="primary"
        size="lg"
        onPointerEnter={warmUpSignIn}
        onFocus={warmUpSignIn}
        onClick={() => void signIn()}
      >
        {FRAME.signIn}
      </Button>
      <Button size="lg" icon={<QrCode />} onClick={() => goTo('pair')}>
        {PAIRING.title}
      </Button>
      {failure === null ? null : (
        <AuthError
          key={failure.id}
          title={SIGN_IN.bannerTitle}
          text={bannerText(failure.kind)}
          closeLabel={SCANNER.close}
          onClose={() => setFailure(null)}
        />
      )}
      <Suspense fallback={null}>
        <UnsentHere />
      </Suspense>
      {demo ? <p>{SHELL.demoNote}</p> : null}
    </Notice>
  )
}
