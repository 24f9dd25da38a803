import { SECOND_MS } from '@garba/shared/constants'
import { ArrowLeft, CloudOff, CloudUpload, Link2Off, QrCode } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { serverNow } from '../platform/net/clock.ts'
import { usePageTitle } from '../platform/page.ts'
import type { PairingEnd, PairingRow } from '../platform/store/scannerSchema.ts'
import { closeCamera } from './camera/useCamera.ts'
import { formatScannerTime } from './core/moment.ts'
import { endNow, findPairingEnd, useMaySell, usePairingRow } from './core/pairing.ts'
import { goTo, useView } from './core/useView.ts'
import styles from './ScannerApp.module.css'
import UnsentHere from './screens/lists/UnsentHere.tsx'
import { UnsentScans } from './screens/lists/UnsentScans.tsx'
import { InstallOffer } from './screens/phone/InstallScanner.tsx'
import { ShiftScreen } from './screens/phone/Shift.tsx'
import { Notice } from './screens/scan/Center.tsx'
import { ScanScreen } from './screens/scan/ScanScreen.tsx'
import { showTrouble } from './screens/scan/showTrouble.ts'
import { Chip } from './screens/status/StatusBar.tsx'
import { useStatus } from './screens/status/useStatus.ts'
import { forgetPairing } from './store/pairing.ts'
import { useStored } from './store/useStored.ts'
import { forgetAtSignOut, forgetWithRole, startStation } from './sync/startStation.ts'
import { PAIRING_END, READINESS } from './texts/phone.ts'
import { wholeText } from './texts/phrases.ts'

const PairingEnded = ({ row, why }: { row: PairingRow; why: PairingEnd }) => {
  const { title, text } = PAIRING_END[why]
  const unsent = useStored((store) => store.unsent?.count ?? null)
  const [lists, setLists] = useState(false)
  usePageTitle(title)
  const said =
    typeof text === 'string' ? text : text(row.device.endsAt === null ? null : formatScannerTime(row.device.endsAt))
  return (
    <Notice title={title} text={row.ended === null ? said : `${said} ${PAIRING_END.erased}`}>
      <UnsentHere text={why === 'unknown' ? PAIRING_END.unsentUnknown : PAIRING_END.unsent} />
      <Button tone="primary" size="lg" icon={<QrCode />} onClick={() => goTo('pair')}>
        {PAIRING_END.pairAgain}
      </Button>
      {unsent === null || unsent === 0 ? null : (
        <Button icon={<CloudUpload />} onClick={() => setLists(true)}>
          {PAIRING_END.lookAtUnsent}
        </Button>
      )}
      {unsent === 0 && row.ended !== null ? (
        <Button tone="ghost" icon={<Link2Off />} onClick={() => void forgetPairing().catch(showTrouble)}>
          {PAIRING_END.forget}
        </Button>
      ) : null}
      <UnsentScans open={lists} onClose={() => setLists(false)} />
    </Notice>
  )
}

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

/** The station runs while any of the scanner's pages is shown. */
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
  const sells = useMaySell()
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

function useEndOfPairing(pairing: PairingRow | null): PairingEnd | null {
  const [end, setEnd] = useState(endNow)
  useEffect(() => {
    const updateEnd = () => setEnd(findPairingEnd(pairing, serverNow()))
    updateEnd()
    const timer = pairing === null ? undefined : setInterval(updateEnd, SECOND_MS)
    return () => clearInterval(timer)
  }, [pairing])
  return pairing?.ended?.why ?? end
}

const PageTop = () => (
  <div className={styles.top}>
    <Button tone="ghost" className={styles.back} icon={<ArrowLeft />} onClick={() => goTo('scan')}>
      {READINESS.back}
    </Button>
    <UnsentChip />
  </div>
)

const UnsentChip = () => {
  const { unsent } = useStatus()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Chip
        tone={unsent.tone}
        icon={unsent.tone === 'ok' ? <CloudUpload /> : <CloudOff />}
        onPress={() => setOpen(true)}
      >
        {wholeText(unsent.words)}
      </Chip>
      <UnsentScans open={open} onClose={() => setOpen(false)} />
    </>
  )
}
