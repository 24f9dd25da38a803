import { lazy, Suspense, useEffect, useState } from 'react'
import { serverNow } from '../platform/net/clock.ts'
import type { PairingEnd, PairingRow } from '../platform/store/scannerSchema.ts'
import { closeCamera } from './camera/useCamera.ts'
import { endNow, endOf, usePairingRow, useRight } from './core/pairing.ts'
import { useView } from './core/useView.ts'
import { InstallOffer } from './screens/phone/InstallScanner.tsx'
import { PageTop } from './screens/phone/PageTop.tsx'
import { PairingEnded } from './screens/phone/PairingEnded.tsx'
import { ShiftScreen } from './screens/phone/Shift.tsx'
import { ScanScreen } from './screens/scan/ScanScreen.tsx'
import { forgetAtSignOut, forgetWithRole, startStation } from './sync/startStation.ts'

const ReadinessScreen = lazy(() => import('./checks/ReadinessScreen.tsx'))
const TestCodeScreen = lazy(() => import('./checks/TestCodeScreen.tsx'))
const GateScreen = lazy(() => import('./screens/evening/GateScreen.tsx'))
const SellScreen = lazy(() => import('./screens/sell/SellScreen.tsx'))
const SCREENS = {
  readiness: ReadinessScreen,
  testCode: TestCodeScreen,
  evening: GateScreen,
  sell: SellScreen,
} as const

forgetAtSignOut()
forgetWithRole()

/** The checker's app: the station runs while any of its pages is shown. */
export default function ScannerApp() {
  const pairing = usePairingRow()
  const end = useEndOfPairing(pairing)
  const ended = end !== null
  useEffect(() => {
    const started = startStation({ ended })
    return () => {
      void started.then((stop) => stop())
      closeCamera()
    }
  }, [ended])
  const view = useView()
  const sells = useRight('sell')
  if (pairing !== null && end !== null) return <PairingEnded row={pairing} why={end} />
  if (pairing !== null && pairing.shift === null) return <ShiftScreen />
  if (view === 'scan' || view === 'pair' || (view === 'sell' && !sells)) return <ScanScreen />
  const Screen = SCREENS[view]
  return (
    <Suspense fallback={null}>
      <Screen
        top={
          <>
            <PageTop />
            {view === 'readiness' ? <InstallOffer /> : null}
          </>
        }
      />
    </Suspense>
  )
}

const SECOND_MS = 1_000

/** Its time may end while nothing else happens. Renders only when it does. */
function useEndOfPairing(pairing: PairingRow | null): PairingEnd | null {
  const [end, setEnd] = useState(endNow)
  useEffect(() => {
    const look = () => setEnd(endOf(pairing, serverNow()))
    look()
    const timer = pairing === null ? undefined : setInterval(look, SECOND_MS)
    return () => clearInterval(timer)
  }, [pairing])
  return pairing?.ended?.why ?? end
}
