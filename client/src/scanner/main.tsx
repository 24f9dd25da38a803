import '../kit/tokens.css'
import '../kit/fonts.css'
import '../kit/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startSession } from '../platform/identity/actions.ts'
import { watchConnectivity } from '../platform/net/connectivity.ts'
import { watchInstall } from '../platform/pwa/install.ts'
import { registerWorker } from '../platform/pwa/worker.ts'
import { wasSignedIn } from '../platform/store/signedIn.ts'
import { ScannerShell } from './ScannerShell.tsx'

watchInstall()
watchConnectivity()
void startSession()
// What a checker's first screen needs, asked for at once.
if (wasSignedIn()) import('./ScannerApp.tsx').catch((error: unknown) => console.info('Not fetched ahead', error))

const root = document.getElementById('root')
if (!root) throw new Error('scanner.html has no #root')
createRoot(root).render(
  <StrictMode>
    <ScannerShell />
  </StrictMode>,
)
void registerWorker({ url: '/sw-scanner.js', scope: '/dashboard/qrchecker' })
