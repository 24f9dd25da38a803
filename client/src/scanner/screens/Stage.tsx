import { SCANNER } from '@garba/shared/messages/scanner'
import type { PointerEvent } from 'react'
import { cx } from '../../kit/cx.ts'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import type { Camera } from '../camera/useCamera.ts'
import { pointInPicture } from './pointInPicture.ts'
import styles from './Stage.module.css'

/** The camera's picture over the whole screen and the frame in it; nothing that comes or goes moves them. */
export const Stage = ({ camera }: { camera: Camera }) => {
  const { control, now } = camera
  const { phase, stateText } = now
  const hasPicture = phase.type === 'ready' || phase.type === 'scanning' || phase.type === 'processing'
  const focus = (event: PointerEvent<HTMLVideoElement>) => {
    const point = pointInPicture(event.currentTarget, event)
    if (now.canFocus && point !== null) control.focusAt(point)
  }
  return (
    <section className={styles.stage} aria-label={SCANNER.camera} data-camera={phase.type}>
      <video
        ref={control.attach}
        className={cx(styles.video, hasPicture && styles.live)}
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

/** Initializing, Ready, Scanning, Processing (SPEC 2), for screen readers too. */
const State = ({ busy, text }: { busy: boolean; text: string }) => (
  <p className={styles.state} role="status">
    {busy ? <Spinner size={16} /> : <span className={styles.lamp} aria-hidden="true" />}
    {text}
  </p>
)
