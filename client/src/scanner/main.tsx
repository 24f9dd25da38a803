import '../kit/tokens.css'
import '../kit/fonts.css'
import '../kit/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ahead } from '../platform/ahead.ts'
import { startSession } from '../platform/identity/actions.ts'
import { restoredUser } from '../platform/identity/session.ts'
import { watchConnectivity } from '../platform/net/connectivity.ts'
import { watchInstall } from '../platform/pwa/install.ts'
import { registerWorker } from '../platform/pwa/worker.ts'
import { wasSignedIn } from '../platform/store/signedIn.ts'
import { ScannerApp, ScannerShell } from './ScannerShell.tsx'

watchInstall()
watchConnectivity()
void startSession()
const root = document.getElementById('root')
if (!root) throw new Error('scanner.html has no #root')
if (wasSignedIn()) await ahead(() => Promise.all([ScannerApp.load(), restoredUser()]))
createRoot(root).render(
  <StrictMode>
    <ScannerShell />
  </StrictMode>,
)
void registerWorker({ url: '/sw-scanner.js', scope: '/dashboard/qrchecker' })
