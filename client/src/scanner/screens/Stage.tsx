import { NO_CAMERA, SCANNER } from '@garba/shared/messages/scanner'
import { CameraOff, RotateCw } from 'lucide-react'
import type { PointerEvent } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { cx } from '../../kit/cx.ts'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import type { Fault } from '../camera/faults.ts'
import type { Camera } from '../camera/useCamera.ts'
import { pointInPicture } from './pointInPicture.ts'
import styles from './Stage.module.css'

/** Faults that SPEC 2's checklist helps with; the others are temporary, with Dismiss and Reload. */
const HELPED_BY_CHECKLIST: ReadonlySet<Fault> = new Set([
  'none',
  'noneDetected',
  'unsupported',
  'denied',
  'busy',
  'unfit',
])

const hasPicture = ({ phase }: Camera['now']) =>
  phase.type === 'ready' || phase.type === 'scanning' || phase.type === 'processing'

/** The camera's picture, under everything else. A tap on it focuses there. */
export const Stage = ({ camera }: { camera: Camera }) => {
  const { control, now } = camera
  const { phase } = now
  const focus = (event: PointerEvent<HTMLVideoElement>) => {
    const point = pointInPicture(event.currentTarget, event)
    if (now.canFocus && point !== null) control.focusAt(point)
  }
  return (
    <section className={styles.stage} aria-label={SCANNER.camera} data-camera={phase.type}>
      <video
        ref={control.attach}
        className={cx(styles.video, hasPicture(now) && styles.live)}
        muted
        playsInline
        onPointerDown={focus}
      />
      {phase.type === 'off' ? <GarboRings className={styles.rings} still /> : null}
    </section>
  )
}

/** The uncovered part of the picture: the frame for the code, or why there is no picture. */
export const View = ({ camera }: { camera: Camera }) => {
  const { phase, fault } = camera.now
  if (fault !== null) return <Problem camera={camera} fault={fault} />
  if (phase.type === 'off') return <p className={styles.idle}>{SCANNER.idle}</p>
  return <Frame dim={!hasPicture(camera.now)} />
}

const Frame = ({ dim }: { dim: boolean }) => (
  <div className={cx(styles.frame, dim && styles.waiting)} aria-hidden="true">
    <i />
    <i />
    <i />
    <i />
  </div>
)

/** Initializing, Ready, Scanning, Processing (SPEC 2), for screen readers too; and what failed meanwhile. */
export const CameraState = ({ camera }: { camera: Camera }) => {
  const { stateText, phase, noticeText } = camera.now
  const busy = phase.type === 'initializing' || phase.type === 'processing'
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

const Problem = ({ camera, fault }: { camera: Camera; fault: { type: Fault; text: string } }) => (
  <div className={styles.problem}>
    {HELPED_BY_CHECKLIST.has(fault.type) ? (
      <Missing text={fault.text} onRetry={camera.control.start} />
    ) : (
      <Trouble camera={camera} words={fault.text} />
    )}
  </div>
)

const Missing = ({ text, onRetry }: { text: string; onRetry: () => void }) => (
  <div className={styles.missing}>
    <CameraOff aria-hidden="true" />
    <h2>{NO_CAMERA.title}</h2>
    <p role="alert">{text}</p>
    <ul className={styles.checklist}>
      {NO_CAMERA.checklist.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
    <Button tone="primary" size="lg" icon={<RotateCw aria-hidden="true" />} onClick={onRetry}>
      {NO_CAMERA.retry}
    </Button>
  </div>
)
