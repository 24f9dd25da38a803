import { lazy, Suspense, useEffect } from 'react'
import { forgetAtSignOut, forgetWithRole, startGate } from './gate/start.ts'
import { ScanScreen } from './screens/ScanScreen.tsx'
import { closeCamera } from './screens/useCamera.ts'
import { useView } from './screens/useView.ts'

const ReadinessScreen = lazy(() => import('./checks/ReadinessScreen.tsx'))
const TestCodeScreen = lazy(() => import('./checks/TestCodeScreen.tsx'))

forgetAtSignOut()
forgetWithRole()

/** The checker's app: the gate runs as long as it is shown, whichever of its pages is. */
export default function ScannerApp() {
  useEffect(() => {
    const started = startGate()
    return () => {
      void started.then((stop) => stop())
      closeCamera()
    }
  }, [])
  const view = useView()
  if (view === 'scan') return <ScanScreen />
  return <Suspense fallback={null}>{view === 'readiness' ? <ReadinessScreen /> : <TestCodeScreen />}</Suspense>
}
