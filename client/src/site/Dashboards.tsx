import { ROLES, type Role } from '@garba/shared/contracts/names'
import { DASHBOARD, HOMES, orderPage, WALLET_PAGE } from '@garba/shared/contracts/site/pages'
import { SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, type ReactElement, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { toast } from 'sonner'
import { createLazyComponent } from '../kit/late.tsx'
import { requestAdmin } from '../platform/identity/actions.ts'
import { findSessionRole, restoredUser, type Session, useSession } from '../platform/identity/session.ts'
import { usePageTitle } from '../platform/page.ts'
import { isInstalled } from '../platform/pwa/install.ts'
import { hasLinks } from '../platform/store/links.ts'
import { MailSignIn } from './auth/MailSignIn.tsx'
import { SignInButton } from './auth/SignInButton.tsx'
import { DeadEnd, LoadingDashboard, Notice, Redirecting } from './frame/Notice.tsx'
import { PageMain } from './frame/Shell.tsx'
import { queryClient } from './queryClient.ts'
import { useWords } from './words.ts'

// Loaded only for people who may see it: a guest's browser never requests the desk's code.
const GuestDashboard = createLazyComponent(() => import('../guest/GuestDashboard.tsx'), <LoadingDashboard />)
const DeskDashboard = createLazyComponent(
  () => import('../desk/DeskDashboard.tsx'),
  <PageMain>
    <LoadingDashboard />
  </PageMain>,
)

const WalletPage = createLazyComponent(() => import('../guest/wallet/WalletPage.tsx'), <LoadingDashboard />)
const MailLinkPage = lazy(() => import('./auth/MailLinkPage.tsx'))

/**
 * Loads the guest's dashboard and what this device stores for it, so that its first render shows the tickets. Throws when the
 * code cannot be loaded.
 */
export async function prepareGuest(): Promise<void> {
  const [{ fillFromWallet }, user] = await Promise.all([
    import('../guest/data/stored.ts'),
    restoredUser(),
    GuestDashboard.load(),
  ])
  if (user === null) return
  await fillFromWallet(queryClient, user._id).catch((error: unknown) =>
    console.warn('The tickets kept here could not be read', error),
  )
}

const RequireRole = ({ required, children }: { required: Role | null; children?: ReactNode }) => {
  const session = useSession()
  const known = session.type !== 'initializing' && session.type !== 'loading'
  if (known && required !== null && findSessionRole(session) === required) return children
  return <PageMain>{known ? <Elsewhere session={session} required={required} /> : <LoadingDashboard />}</PageMain>
}

const Elsewhere = ({ session, required }: { session: Session; required: Role | null }) => {
  const role = findSessionRole(session)
  // People who come from a mail or a payment page want to see one order.
  const { pathname } = useLocation()
  const order = pathname.startsWith(orderPage('')) ? pathname.slice(orderPage('').length) : ''
  // A person who only has tickets from a link has opened the app or a bookmark.
  if (role === null && pathname === HOMES.guest && hasLinks()) return <Leaving to={WALLET_PAGE} />
  if (role === null) return isInstalled() || order !== '' ? <SignInHere /> : <Leaving to="/" />
  // A newer server may have roles that this page does not know.
  if (!Object.hasOwn(HOMES, role)) return <InvalidRole />
  if (order !== '') return role === 'admin' ? <Leaving to={`${HOMES.admin}/orders/${order}`} /> : <OrderElsewhere />
  const home = role === 'qrchecker' ? <ScannerHandover /> : <Leaving to={HOMES[role]} />
  // Only a user whom the server knows can be made an admin. Managers are not offered it.
  return required === 'admin' && role !== 'manager' && session.type === 'signedIn' ? (
    <AdminRequest refused={home} />
  ) : (
    home
  )
}

const Leaving = ({ to }: { to: string }) => (
  <>
    <Redirecting />
    {/* The state holds the number of tickets that was chosen on the landing page. */}
    <Navigate to={to} state={useLocation().state} replace />
  </>
)

const DASHBOARDS: Readonly<Record<Role, ReactElement>> = {
  guest: (
    <PageMain>
      <GuestDashboard />
    </PageMain>
  ),
  admin: <DeskDashboard desk="admin" />,
  manager: <DeskDashboard desk="manager" />,
  qrchecker: (
    <PageMain>
      <ScannerHandover />
    </PageMain>
  ),
}

export default function Dashboards() {
  return (
    <QueryClientProvider client={queryClient}>
      <Routes>
        <Route path="guest/sign-in" element={<MailLink />} />
        {ROLES.map((role) => (
          <Route
            key={role}
            path={`${role}/*`}
            element={<RequireRole required={role}>{DASHBOARDS[role]}</RequireRole>}
          />
        ))}
        <Route
          path={WALLET_PAGE.slice(DASHBOARD.length + 1)}
          element={
            <PageMain>
              <WalletPage />
            </PageMain>
          }
        />
        <Route path="*" element={<RequireRole required={null} />} />
      </Routes>
    </QueryClientProvider>
  )
}

/** A link in a mail is opened before anybody is signed in. */
const MailLink = () => (
  <PageMain>
    <Suspense fallback={<LoadingDashboard />}>
      <MailLinkPage />
    </Suspense>
  </PageMain>
)

const openedAtScanner = location.pathname.startsWith(HOMES.qrchecker)

/** The scanner is another shell with its own page and worker, so the browser has to load it. */
function ScannerHandover() {
  useEffect(() => {
    // If the site's page was served at the scanner's address, this would reload forever.
    if (!openedAtScanner) location.replace(HOMES.qrchecker)
  }, [])
  return <Redirecting />
}

const InvalidRole = () => <DeadEnd {...useWords().screens.invalidRole} />

const OrderElsewhere = () => <DeadEnd {...useWords().screens.orderElsewhere} to={DASHBOARD} />

/**
 * At the admin dashboard's address this asks for the role once, because the email may be in ADMIN_EMAILS by now.
 * RequireRole then lets an admin in; everyone else sees `refused`.
 */
const AdminRequest = ({ refused }: { refused: ReactNode }) => {
  const [denied, setDenied] = useState(false)
  const isRequested = useRef(false)
  useEffect(() => {
    if (isRequested.current) return
    isRequested.current = true
    requestAdmin().then(
      () => toast.success(SUCCESS_TOASTS.adminAssigned),
      (error: unknown) => {
        console.info('Not an admin', error)
        setDenied(true)
      },
    )
  }, [])
  return denied ? refused : <LoadingDashboard />
}

const SignInHere = () => {
  const { signInHere } = useWords().screens
  usePageTitle(signInHere.title)
  return (
    <Notice title={signInHere.title} detail={signInHere.detail}>
      <SignInButton size="lg" />
      <Suspense fallback={null}>
        <MailSignIn />
      </Suspense>
    </Notice>
  )
}
