import type { Role } from '@garba/shared/contracts/names'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { ButtonLink } from '../kit/ButtonLink.tsx'
import { roleOf, useSession } from '../platform/identity/session.ts'
import { usePageTitle } from '../platform/page.ts'
import { isInstalled } from '../platform/pwa/install.ts'
import { AdminRequest } from './AdminRequest.tsx'
import { Notice } from './Notice.tsx'
import { queryClient } from './queryClient.ts'
import { homeOf, isRole } from './roles.ts'
import { SignInHere } from './SignInHere.tsx'
import { LoadingDashboard, Redirecting } from './Waiting.tsx'
import { useWords } from './words.ts'

// Loaded behind the gate: a guest's browser never asks for the desk's code.
const GuestDashboard = lazy(() => import('../guest/GuestDashboard.tsx'))
const DeskDashboard = lazy(() => import('../desk/DeskDashboard.tsx'))

/** SPEC 2 "Dashboard routing": who may stay, and where everyone else goes. */
const RoleGate = ({ wanted, children }: { wanted: Role | null; children?: ReactNode }) => {
  const session = useSession()
  if (session.at === 'initializing' || session.at === 'loading') return <LoadingDashboard />
  const role = roleOf(session)
  if (role === null) return isInstalled() ? <SignInHere /> : <Leaving to="/" />
  if (!isRole(role)) return <InvalidRole />
  if (role !== wanted) {
    const home = role === 'qrchecker' ? <ScannerHandover /> : <Leaving to={homeOf(role)} />
    // Only a user the server knows can be made an admin.
    return wanted === 'admin' && session.at === 'signedIn' ? <AdminRequest refused={home} /> : home
  }
  return <Suspense fallback={<LoadingDashboard />}>{children}</Suspense>
}

const Leaving = ({ to }: { to: string }) => (
  <>
    <Redirecting />
    <Navigate to={to} replace />
  </>
)

/** Below /dashboard. A dashboard that does not exist leads to the user's own. */
export default function Dashboards() {
  return (
    <QueryClientProvider client={queryClient}>
      <Routes>
        <Route
          path="guest/*"
          element={
            <RoleGate wanted="guest">
              <GuestDashboard />
            </RoleGate>
          }
        />
        <Route
          path="admin/*"
          element={
            <RoleGate wanted="admin">
              <DeskDashboard desk="admin" />
            </RoleGate>
          }
        />
        <Route
          path="manager/*"
          element={
            <RoleGate wanted="manager">
              <DeskDashboard desk="manager" />
            </RoleGate>
          }
        />
        <Route
          path="qrchecker/*"
          element={
            <RoleGate wanted="qrchecker">
              <ScannerHandover />
            </RoleGate>
          }
        />
        <Route path="*" element={<RoleGate wanted={null} />} />
      </Routes>
    </QueryClientProvider>
  )
}

const openedAtScanner = location.pathname.startsWith(homeOf('qrchecker'))

/** The scanner is another shell with its own page and worker (DECISIONS 4): the browser loads it. */
function ScannerHandover() {
  useEffect(() => {
    // The site's page at the scanner's address would hand over to itself for ever.
    if (!openedAtScanner) location.replace(homeOf('qrchecker'))
  }, [])
  return <Redirecting />
}

const InvalidRole = () => {
  const { invalidRole } = useWords().screens
  usePageTitle(invalidRole.title)
  return (
    <Notice title={invalidRole.title} detail={invalidRole.detail}>
      <ButtonLink to="/" tone="primary">
        {invalidRole.action}
      </ButtonLink>
    </Notice>
  )
}
