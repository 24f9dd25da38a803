import { NO_CAMERA } from '@garba/shared/messages/camera'
import { SCANNER } from '@garba/shared/messages/scannerScreens'
import { CameraOff, RotateCw } from 'lucide-react'
import type { PointerEvent } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { cx } from '../../kit/cx.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import type { Fault } from '../camera/faults.ts'
import { pointInPicture } from './pointInPicture.ts'
import styles from './Stage.module.css'
import type { Camera } from './useCamera.ts'

/** What the checklist of SPEC 2 can help with; the rest is a fault of the moment, with Dismiss and Reload. */
const HELPED_BY_CHECKLIST: ReadonlySet<Fault> = new Set([
  'none',
  'noneDetected',
  'unsupported',
  'denied',
  'busy',
  'unfit',
])

/** The camera's picture with its frame, or what stands in its place. A tap on the picture focuses there. */
export const Stage = ({ camera }: { camera: Camera }) => {
  const { control, now } = camera
  const { phase, fault } = now
  const focus = (event: PointerEvent<HTMLVideoElement>) => {
    const point = pointInPicture(event.currentTarget, event)
    if (now.canFocus && point !== null) control.focusAt(point)
  }
  const hasPicture = phase.at === 'ready' || phase.at === 'scanning' || phase.at === 'processing'
  return (
    <section className={styles.stage} aria-label={SCANNER.camera} data-camera={phase.at}>
      <video
        ref={control.attach}
        className={cx(styles.video, hasPicture && styles.live)}
        muted
        playsInline
        onPointerDown={focus}
      />
      {phase.at === 'off' ? <GarboRings className={styles.rings} still /> : null}
      {hasPicture || phase.at === 'initializing' ? <Frame dim={!hasPicture} /> : null}
      {fault === null ? null : <Problem camera={camera} fault={fault} />}
    </section>
  )
}

const Frame = ({ dim }: { dim: boolean }) => (
  <div className={cx(styles.frame, dim && styles.waiting)} aria-hidden="true">
    <i />
    <i />
    <i />
    <i />
  </div>
)

/** Initializing, Ready, Scanning, Processing (SPEC 2), said to screen readers too; and what did not work meanwhile. */
export const CameraState = ({ camera }: { camera: Camera }) => {
  const { stateText, phase, noticeText } = camera.now
  const busy = phase.at === 'initializing' || phase.at === 'processing'
  return (
    <>
      {noticeText === null ? null : <Trouble camera={camera} words={noticeText} />}
      {stateText === '' ? null : (
        <p className={styles.state} role="status">
          {busy ? <Spinner size={18} /> : <span className={styles.lamp} aria-hidden="true" />}
          {stateText}
        </p>
      )}
    </>
  )
}

const Trouble = ({ camera, words }: { camera: Camera; words: string }) => {
  const dismiss = () => {
    if (camera.now.fault === null) camera.control.dismissNotice()
    else camera.control.stop()
  }
  return (
    <Banner
      tone="bad"
      live="alert"
      title={SCANNER.cameraTrouble}
      actions={
        <>
          <Button onClick={dismiss}>{SCANNER.dismiss}</Button>
          <Button tone="primary" onClick={() => location.reload()}>
            {SCANNER.reload}
          </Button>
        </>
      }
    >
      <p>{words}</p>
    </Banner>
  )
}

const Problem = ({ camera, fault }: { camera: Camera; fault: { kind: Fault; text: string } }) => (
  <div className={styles.problem}>
    {HELPED_BY_CHECKLIST.has(fault.kind) ? (
      <EmptyState
        level={2}
        title={NO_CAMERA.title}
        icon={<CameraOff />}
        action={
          <Button tone="primary" size="lg" icon={<RotateCw aria-hidden="true" />} onClick={camera.control.start}>
            {NO_CAMERA.retry}
          </Button>
        }
      >
        <p role="alert">{fault.text}</p>
        <ul className={styles.checklist}>
          {NO_CAMERA.checklist.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </EmptyState>
    ) : (
      <Trouble camera={camera} words={fault.text} />
    )}
  </div>
)
