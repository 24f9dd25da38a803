import { formatCount } from '@garba/shared/messages/language'
import { RefreshCw, Users } from 'lucide-react'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { Banner } from '../../../kit/Banner.tsx'
import { Button } from '../../../kit/Button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Dialog } from '../../../kit/Dialog.tsx'
import { GarboRings } from '../../../kit/GarboRings.tsx'
import { Spinner } from '../../../kit/Spinner.tsx'
import { takeScans } from '../../../platform/keys/scannerKeys.ts'
import { usePageTitle } from '../../../platform/page.ts'
import { useUpdate } from '../../../platform/pwa/install.ts'
import { useWakeLock } from '../../../platform/screen/wakeLock.ts'
import type { ConflictRow } from '../../../platform/store/scannerSchema.ts'
import { type Camera, useCamera } from '../../camera/useCamera.ts'
import { clockNow } from '../../core/moment.ts'
import { useMaySell, useRight } from '../../core/pairing.ts'
import type { ShownScan } from '../../core/scan.ts'
import { goTo, useOverPicture } from '../../core/useView.ts'
import { conflictWords } from '../../core/words.ts'
import type { DecodedCode } from '../../decode/reading.ts'
import {
  chooseParty,
  chooseTicket,
  dismissVerdict,
  scanAgain,
  seeCode,
  seeNothing,
  seeTyped,
  useScan,
} from '../../scan/machine.ts'
import { useMode } from '../../scan/mode.ts'
import { unlockSound } from '../../scan/sounds.ts'
import { markConflictRead } from '../../store/conflicts.ts'
import { useStored } from '../../store/useStored.ts'
import { PAIRING } from '../../texts/phone.ts'
import { CONFLICTS, DAY, RECENT, SCANNER, UPDATE } from '../../texts/scanner.ts'
import { SELL_HERE } from '../../texts/sell.ts'
import { ConflictName, ConflictSides } from '../lists/ConflictSides.tsx'
import { FindTicket } from '../lists/FindTicket.tsx'
import { RecentScans } from '../lists/RecentScans.tsx'
import { UnsentScans } from '../lists/UnsentScans.tsx'
import { InstallButton } from '../phone/InstallScanner.tsx'
import { StatusBar } from '../status/StatusBar.tsx'
import { CameraFault, CameraNotice } from './CameraTrouble.tsx'
import { Controls } from './Controls.tsx'
import { DayStrip } from './DayStrip.tsx'
import { GroupChoice } from './GroupChoice.tsx'
import { Head } from './Head.tsx'
import { LastScan } from './LastScan.tsx'
import { CountPanel, CrowdStrip, Modes } from './Modes.tsx'
import { pointInPicture, pointOnScreen } from './pointInPicture.ts'
import styles from './ScanScreen.module.css'
import { StartCard } from './StartCard.tsx'
import { showTrouble } from './showTrouble.ts'
import { useNextStep, Verdict } from './Verdict.tsx'

type Open = 'find' | 'recent' | 'unsent' | 'conflicts' | null

export const ScanScreen = () => {
  usePageTitle(SCANNER.title)
  const [open, setOpen] = useState<Open>(null)
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setOpen(null)
  const mayScan = useRight('scan')
  const { camera, running, toggle, openSelling, isAiming, shown, members, isByHand } = useScanScreen(mayScan)
  const mayFind = useRight('find')
  const maySell = useMaySell()
  useWakeLock(running)
  useConflictsTurn({ isOpen: open === 'conflicts', onOpen: () => setOpen('conflicts'), onClose: close })
  const { fault } = camera.now
  const mode = useMode(({ mode }) => (mayScan ? mode : 'entry'))
  return (
    <main>
      <div className={cx(styles.screen, running && styles.running, !isOpen && styles.brief)} data-mode={mode}>
        <Stage camera={camera} />
        <Head running={running} onStop={toggle} />
        <div className={styles.tiles}>
          <Tiles />
        </div>
        <div className={styles.status}>
          <StatusBar
            onUnsent={() => setOpen('unsent')}
            onConflicts={() => setOpen('conflicts')}
            onReadiness={() => goTo('readiness')}
            isOpen={isOpen}
            onToggle={() => setIsOpen(!isOpen)}
          />
          {mayScan ? <Modes /> : null}
          <CrowdStrip />
          <DayStrip />
          <UpdateNotice running={running} isIdle={!running && isAiming} />
          {running ? null : <InstallButton />}
        </div>
        <div className={styles.recent}>
          {running || !mayScan ? null : <StartCard />}
          <RecentScans />
        </div>
        {running ? null : (
          <p className={styles.idle}>{mayScan ? SCANNER.idle : maySell ? SELL_HERE.onlySells : PAIRING.mayNot}</p>
        )}
        {mode === 'count' ? (
          <div className={styles.counting}>
            <CountPanel />
          </div>
        ) : null}
        {fault === null || mode === 'count' ? null : (
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
            onStart={mayScan ? toggle : null}
            onFind={mayFind && mode === 'entry' ? () => setOpen('find') : null}
            onSell={maySell ? openSelling : null}
            onRecent={() => setOpen('recent')}
          />
        </div>
      </div>
      <Spoken shown={shown} />
      {shown === null ? null : (
        <Verdict key={shown.scanId} shown={shown} at={codeAt(shown)} onDismiss={dismissVerdict} />
      )}
      {members === null ? null : <GroupChoice members={members} byHand={isByHand} />}
      <FindTicket open={open === 'find'} onClose={close} onChoose={chooseTicket} onChooseParty={chooseParty} />
      <Dialog open={open === 'recent'} onClose={close} title={RECENT.title}>
        <RecentScans bare />
      </Dialog>
      <UnsentScans open={open === 'unsent'} onClose={close} />
      <Conflicts open={open === 'conflicts'} onClose={close} />
    </main>
  )
}

/**
 * The verdict for screen readers. The element is always there, so that each change is spoken at once. `aria-live` repeats what the
 * role implies, because an open dialog hides everything without the attribute.
 */
const Spoken = ({ shown }: { shown: ShownScan | null }) => {
  const next = useNextStep(shown)
  return (
    <span className="spoken" role="alert" aria-live="assertive">
      {shown === null
        ? ''
        : [shown.isPractice && DAY.tag, shown.title, shown.name, shown.detail, next, shown.otherDay]
            .filter(Boolean)
            .join('. ')}
    </span>
  )
}

const Tiles = () => {
  const { scanned, valid, rejected } = useStored((store) => store.tally)
  return (
    <dl className={styles.tilesBox}>
      <Tile label={SCANNER.tiles.scanned} value={formatCount(scanned)} />
      <Tile label={SCANNER.tiles.valid} value={formatCount(valid)} />
      <Tile label={SCANNER.tiles.rejected} value={formatCount(rejected)} />
    </dl>
  )
}

const Tile = ({ label, value }: { label: string; value: string }) => (
  <div className={styles.tile}>
    <dt>{label}</dt>
    <dd className="tabular">{value}</dd>
  </div>
)

/** Whether the camera was on when the selling page was opened; on return, scanning continues. */
let wasScanning = false

let lastSeenAt: { x: number; y: number } | null = null

function see(decoded: DecodedCode | null): void {
  if (decoded === null || useMode.getState().mode === 'count') {
    seeNothing()
    return
  }
  const { corners } = decoded
  lastSeenAt = corners
    ? { x: corners.reduce((sum, { x }) => sum + x, 0) / 4, y: corners.reduce((sum, { y }) => sum + y, 0) / 4 }
    : null
  seeCode(decoded.text)
}

function codeAt({ manual }: ShownScan): { x: number; y: number } | null {
  const video = document.querySelector('video')
  return manual || lastSeenAt === null || video === null ? null : pointOnScreen(video, lastSeenAt)
}

function useScanScreen(mayScan: boolean) {
  const camera = useCamera(see)
  // Not the whole state: it also holds the codes in view, which change with every frame.
  const stage = useScan(({ state }) => state.type)
  const shown = useScan(({ verdict }) => verdict)
  const members = useScan(({ state }) => (state.type === 'choosing' ? state.members : null))
  const isByHand = useScan(({ state }) => state.type === 'choosing' && state.scan.subject.type === 'hand')
  const { control, now } = camera
  const running = now.phase.type !== 'off'
  useEffect(() => {
    if (stage === 'judging') control.judging()
    else if (stage === 'shown' || stage === 'choosing') control.rest()
    else control.resume()
  }, [control, stage])
  // With the camera off no code is in view: starting again counts as leaving.
  useEffect(() => {
    if (!running) scanAgain()
    useOverPicture.setState({ over: running })
    return () => useOverPicture.setState({ over: false })
  }, [running])
  useEffect(() => {
    if (wasScanning) control.start()
    wasScanning = false
  }, [control])
  useEffect(() => {
    if (!mayScan) return
    return takeScans((input) => {
      lastSeenAt = null
      void unlockSound()
      seeTyped(input)
    })
  }, [mayScan])
  const openSelling = () => {
    wasScanning = running
    goTo('sell')
  }
  const toggle = () => {
    // The tap that starts the camera also lets the phone make sounds.
    void unlockSound()
    if (running) control.stop()
    else control.start()
  }
  return { camera, running, toggle, openSelling, isAiming: stage === 'aiming', shown, members, isByHand }
}

/** After this long without a scan (ms), nobody is waiting for a verdict. */
const QUIET_MS = 3_000
const WINDOWS = '[role="dialog"], [role="alertdialog"], [role="menu"], [data-look]'

interface Turn {
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
}

/**
 * Opens the list of double admissions when nobody is being scanned and no other window is open, so that no checker
 * misses a conflict. A scan closes it only while the scan lasts; once the checker closes it, it stays closed until the
 * next conflict.
 */
function useConflictsTurn({ isOpen, onOpen, onClose }: Turn): void {
  const conflicts = useStored((store) => store.conflicts)
  const aiming = useScan(({ state }) => state.type === 'aiming')
  const shown = useRef(new Set<string>())
  const act = useRef({ onOpen, onClose })
  act.current = { onOpen, onClose }
  useEffect(() => {
    if (!isOpen) return
    if (aiming) for (const { id } of conflicts) shown.current.add(id)
    else shown.current.clear()
    if (!aiming || conflicts.length === 0) act.current.onClose()
  }, [isOpen, aiming, conflicts])
  useEffect(() => {
    if (isOpen || !aiming || conflicts.every(({ id }) => shown.current.has(id))) return
    const turn = setInterval(() => {
      if (document.querySelector(WINDOWS) === null) act.current.onOpen()
    }, QUIET_MS)
    return () => clearInterval(turn)
  }, [isOpen, aiming, conflicts])
}

/** A new version waits until nobody is being scanned and nothing is unsent. */
const UpdateNotice = ({ running, isIdle }: { running: boolean; isIdle: boolean }) => {
  const { ready, apply } = useUpdate()
  const unsent = useStored((store) => store.unsent?.count)
  if (!ready) return null
  if (running) {
    return (
      <p className={styles.line} role="status">
        {UPDATE.ready}
      </p>
    )
  }
  const may = isIdle && unsent === 0
  return (
    <Banner
      live="status"
      title={UPDATE.ready}
      actions={
        may ? (
          <Button size="sm" tone="primary" icon={<RefreshCw />} onClick={apply}>
            {UPDATE.action}
          </Button>
        ) : undefined
      }
    >
      {may ? null : <p>{UPDATE.waits}</p>}
    </Banner>
  )
}

const Conflicts = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const conflicts = useStored((store) => store.conflicts)
  const deviceId = useStored((store) => store.device.id)
  return (
    <Dialog
      open={open && conflicts.length > 0}
      onClose={onClose}
      title={CONFLICTS.title}
      description={CONFLICTS.explain}
    >
      <ol className={styles.list}>
        {conflicts.map((conflict) => (
          <Row key={conflict.id} conflict={conflict} deviceId={deviceId} />
        ))}
      </ol>
    </Dialog>
  )
}

const Row = ({ conflict, deviceId }: { conflict: ConflictRow; deviceId: string }) => {
  const { title, first, second } = conflictWords(conflict, { deviceId, clock: clockNow() })
  const read = () => void markConflictRead(conflict.id, new Date().toISOString()).catch(showTrouble)
  return (
    <li className={styles.row}>
      <p className={styles.title}>
        <Users />
        {title}
      </p>
      <ConflictName name={conflict.name} ticketId={conflict.ticketId} />
      <ConflictSides first={first} second={second} />
      <Button block onClick={read}>
        {CONFLICTS.acknowledge}
      </Button>
    </li>
  )
}

const Stage = ({ camera }: { camera: Camera }) => {
  const { control, now } = camera
  const { phase, isResting } = now
  const stateText = isResting ? SCANNER.resting : now.stateText
  const hasPicture = phase.type === 'ready' || phase.type === 'scanning' || phase.type === 'processing'
  const focus = (event: PointerEvent<HTMLVideoElement>) => {
    const point = pointInPicture(event.currentTarget, event)
    if (now.canFocus && point !== null) control.focusAt(point)
  }
  return (
    <section className={styles.stage} aria-label={SCANNER.camera} data-camera={phase.type}>
      <video
        ref={control.attach}
        className={cx(styles.video, hasPicture && styles.live, isResting && styles.resting)}
        muted
        playsInline
        onPointerDown={focus}
      />
      {phase.type === 'off' ? <GarboRings className={styles.rings} faint /> : null}
      {phase.type === 'off' || phase.type === 'failed' ? null : (
        <div className={styles.aim}>
          <div className={cx(styles.frame, !hasPicture && styles.waiting)} data-frame>
            <span className={styles.corners} aria-hidden="true">
              <i />
              <i />
              <i />
              <i />
            </span>
            <State busy={phase.type === 'initializing' || phase.type === 'processing'} text={stateText} />
          </div>
        </div>
      )}
    </section>
  )
}

const State = ({ busy, text }: { busy: boolean; text: string }) => (
  <p className={styles.state} role="status">
    {busy ? <Spinner size={16} /> : <span className={styles.lamp} aria-hidden="true" />}
    {text}
  </p>
)
