import { lazy, Suspense, useEffect } from 'react'
import { closeCamera } from './camera/useCamera.ts'
import { useView } from './core/useView.ts'
import { PageTop } from './screens/PageTop.tsx'
import { ScanScreen } from './screens/ScanScreen.tsx'
import { forgetAtSignOut, forgetWithRole, startStation } from './sync/startStation.ts'

const ReadinessScreen = lazy(() => import('./checks/ReadinessScreen.tsx'))
const TestCodeScreen = lazy(() => import('./checks/TestCodeScreen.tsx'))

forgetAtSignOut()
forgetWithRole()

/** The checker's app: the station runs while any of its pages is shown. */
export default function ScannerApp() {
  useEffect(() => {
    const started = startStation()
    return () => {
      void started.then((stop) => stop())
      closeCamera()
    }
  }, [])
  const view = useView()
  if (view === 'scan') return <ScanScreen />
  return (
    <Suspense fallback={null}>
      {view === 'readiness' ? <ReadinessScreen top={<PageTop />} /> : <TestCodeScreen top={<PageTop />} />}
    </Suspense>
  )
}
