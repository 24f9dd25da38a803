import '../kit/tokens.css'
import '../kit/fonts.css'
import '../kit/base.css'
import { HOMES } from '@garba/shared/contracts/site/pages'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadAhead, whenQuiet } from '../platform/ahead.ts'
import { startSession } from '../platform/identity/actions.ts'
import { restoredUser } from '../platform/identity/session.ts'
import { keptLanguage, loadWords } from '../platform/language.ts'
import { watchConnectivity } from '../platform/net/connectivity.ts'
import { registerWorker, watchInstall } from '../platform/pwa/install.ts'
import { wasSignedIn } from '../platform/store/local.ts'
import { setPairing, takeLinkCode, usePairing } from './core/pairing.ts'
import { ScannerApp, ScannerShell } from './ScannerShell.tsx'

/** The worker of an installed scanner is already running, so only an update waits this long. */
const WORKER_AFTER_MS = 3_000

takeLinkCode()
window.addEventListener('hashchange', takeLinkCode)
watchInstall()
watchConnectivity()
await Promise.all([
  loadWords(keptLanguage()),
  usePairing.getState().state.type === 'reading' ? startPaired() : startOfAccount(),
])
/** A page signs its calls as a phone or as a person. When that changes, in any tab, the page is loaded again. */
usePairing.subscribe(({ state }, before) => {
  if ((state.type === 'none') !== (before.state.type === 'none')) location.replace(HOMES.qrchecker)
})
const root = document.getElementById('root')
if (!root) throw new Error('scanner.html has no #root')
createRoot(root).render(
  <StrictMode>
    <ScannerShell />
  </StrictMode>,
)
void whenQuiet(WORKER_AFTER_MS).then(() => registerWorker({ url: '/sw-scanner.js', scope: '/dashboard/qrchecker' }))

async function startOfAccount(): Promise<void> {
  void startSession()
  if (wasSignedIn()) await loadAhead(() => Promise.all([ScannerApp.load(), restoredUser()]))
}

/** The pairing is read from the phone's own storage, so that the scanner starts without a network. */
async function startPaired(): Promise<void> {
  await loadAhead(() => Promise.all([ScannerApp.load(), readPairing()]))
}

async function readPairing(): Promise<void> {
  try {
    const [{ readPairing }, { signAsDevice }] = await Promise.all([
      import('./store/pairing.ts'),
      import('./sync/pairing.ts'),
    ])
    if ((await readPairing()) === null) return startOfAccount()
    signAsDevice()
  } catch (error) {
    console.warn('The pairing could not be read', error)
    setPairing({ type: 'unreadable' })
  }
}
