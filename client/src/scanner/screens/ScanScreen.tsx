import { SHELL } from '@garba/shared/messages/common'
import { PAIRING } from '@garba/shared/messages/pairing'
import { RECENT, SCANNER } from '@garba/shared/messages/scanner'
import { SELL_HERE } from '@garba/shared/messages/scannerSell'
import { useState } from 'react'
import { cx } from '../../kit/cx.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { usePageTitle } from '../../platform/page.ts'
import { useWakeLock } from '../../platform/screen/wakeLock.ts'
import { useRight } from '../core/pairing.ts'
import { goTo } from '../core/useView.ts'
import { chooseTicket, dismissVerdict } from '../scan/machine.ts'
import { CameraFault, CameraNotice } from './CameraTrouble.tsx'
import { Conflicts } from './Conflicts.tsx'
import { Controls } from './Controls.tsx'
import { FindTicket } from './FindTicket.tsx'
import { GroupChoice } from './GroupChoice.tsx'
import { LastScan } from './LastScan.tsx'
import { RecentScans } from './RecentScans.tsx'
import { ScannerMenu } from './ScannerMenu.tsx'
import styles from './ScanScreen.module.css'
import { Spoken } from './Spoken.tsx'
import { Stage } from './Stage.tsx'
import { StatusBar } from './StatusBar.tsx'
import { Tiles } from './Tiles.tsx'
import { UnsentScans } from './UnsentScans.tsx'
import { UpdateNotice } from './UpdateNotice.tsx'
import { useConflictsTurn } from './useConflictsTurn.ts'
import { useScanScreen } from './useScanScreen.ts'
import { Verdict } from './Verdict.tsx'

type Open = 'find' | 'recent' | 'unsent' | 'conflicts' | null

/** The scan screen: picture, verdicts, and everything a checker needs within reach of one thumb. */
export const ScanScreen = () => {
  usePageTitle(SHELL.scanner.title)
  const { camera, running, toggle, isAiming, shown, members } = useScanScreen()
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const mayScan = useRight('scan')
  const mayFind = useRight('find')
  const maySell = useRight('sell')
  useWakeLock(running)
  useConflictsTurn({ isOpen: open === 'conflicts', onOpen: () => setOpen('conflicts'), onClose: close })
  const { fault } = camera.now
  return (
    <main>
      <div className={cx(styles.screen, running && styles.running)}>
        <Stage camera={camera} />
        <header className={styles.head}>
          <div className={styles.title}>
            <h1>{SHELL.scanner.title}</h1>
            <p>{SHELL.scanner.subtitle}</p>
          </div>
          <ScannerMenu />
        </header>
        <div className={styles.tiles}>
          <Tiles />
        </div>
        <div className={styles.status}>
          <StatusBar
            onUnsent={() => setOpen('unsent')}
            onConflicts={() => setOpen('conflicts')}
            onReadiness={() => goTo('readiness')}
          />
          <UpdateNotice running={running} isIdle={!running && isAiming} />
        </div>
        <div className={styles.recent}>
          <RecentScans />
        </div>
        {running ? null : (
          <p className={styles.idle}>{mayScan ? SCANNER.idle : maySell ? SELL_HERE.onlySells : PAIRING.mayNot}</p>
        )}
        {fault === null ? null : (
          <div className={styles.fault}>
            <CameraFault camera={camera} fault={fault} />
          </div>
        )}
        <div className={styles.foot}>
          <div className={styles.notes}>
            {fault === null ? <CameraNotice camera={camera} /> : null}
            <LastScan />
          </div>
          <Controls
            camera={camera}
            running={running}
            onToggle={mayScan ? toggle : null}
            onFind={mayFind ? () => setOpen('find') : null}
            onSell={maySell ? () => goTo('sell') : null}
            onRecent={() => setOpen('recent')}
          />
        </div>
      </div>
      <Spoken shown={shown} />
      {shown === null ? null : <Verdict key={shown.scanId} shown={shown} onDismiss={dismissVerdict} />}
      {members === null ? null : <GroupChoice members={members} />}
      <FindTicket open={open === 'find'} onClose={close} onChoose={chooseTicket} />
      <Dialog open={open === 'recent'} onClose={close} title={RECENT.title}>
        <RecentScans bare />
      </Dialog>
      <UnsentScans open={open === 'unsent'} onClose={close} />
      <Conflicts open={open === 'conflicts'} onClose={close} />
    </main>
  )
}
