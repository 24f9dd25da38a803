import { CameraOff, RotateCw } from 'lucide-react'
import { Banner } from '../../../kit/Banner.tsx'
import { Button } from '../../../kit/Button.tsx'
import { isInstalled, isIos } from '../../../platform/pwa/install.ts'
import { getCameraPlace } from '../../camera/lenses.ts'
import type { Fault } from '../../camera/model.ts'
import type { Camera } from '../../camera/useCamera.ts'
import { CAMERA_BLOCKED, CAMERA_CAUSES } from '../../texts/phone.ts'
import { NO_CAMERA, SCANNER } from '../../texts/scanner.ts'
import styles from './CameraTrouble.module.css'

interface Help {
  cause: keyof typeof CAMERA_CAUSES | 'blocked'
  way: 'retry' | 'reload'
}

const HELP = {
  denied: { cause: 'blocked', way: 'retry' },
  busy: { cause: 'inUse', way: 'retry' },
  none: { cause: 'none', way: 'retry' },
  noneDetected: { cause: 'none', way: 'retry' },
  unplugged: { cause: 'unplugged', way: 'retry' },
  unfit: { cause: 'unfit', way: 'retry' },
  unsupported: { cause: 'unsupported', way: 'retry' },
  cameraTimeout: { cause: 'timedOut', way: 'reload' },
  scannerTimeout: { cause: 'scanner', way: 'reload' },
  scannerFailed: { cause: 'scanner', way: 'reload' },
  failed: { cause: 'unknown', way: 'reload' },
} as const satisfies Record<Fault, Help>

function helpFor(cause: Help['cause']): { title: string; cure: readonly string[] } {
  if (cause !== 'blocked') return CAMERA_CAUSES[cause]
  const place = getCameraPlace({ userAgent: navigator.userAgent, isIos: isIos(), isInstalled: isInstalled() })
  return { title: CAMERA_BLOCKED.title, cure: CAMERA_BLOCKED.cures[place] }
}

export const CameraFault = ({ camera, fault }: { camera: Camera; fault: { type: Fault; text: string } }) => {
  const { cause, way } = HELP[fault.type]
  const { title, cure } = helpFor(cause)
  return (
    <section className={styles.fault} aria-label={title}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on small screens it scrolls, and nothing in it takes the focus */}
      <div className={styles.words} tabIndex={0}>
        <CameraOff />
        <h2>{title}</h2>
        <p role="alert">{fault.text}</p>
        {cure.length === 0 ? <Lines of={NO_CAMERA.checklist} /> : <Lines of={cure} ordered />}
      </div>
      <div className={styles.actions}>
        <Remedies onRetry={way === 'retry' ? camera.control.start : null} onDismiss={camera.control.stop} />
      </div>
    </section>
  )
}

const Lines = ({ of, ordered = false }: { of: readonly string[]; ordered?: boolean }) => {
  const List = ordered ? 'ol' : 'ul'
  return (
    <List className={styles.lines}>
      {of.map((line) => (
        <li key={line}>
          <span>{line}</span>
        </li>
      ))}
    </List>
  )
}

/** Reports a failure that does not end the stream. Dismissing the notice of a paused picture ends it. */
export const CameraNotice = ({ camera }: { camera: Camera }) => {
  const { noticeText, isPaused } = camera.now
  const { play, stop, dismissNotice } = camera.control
  if (noticeText === null) return null
  return (
    <Banner
      tone="bad"
      live="alert"
      title={CAMERA_CAUSES.unknown.title}
      actions={<Remedies onRetry={isPaused ? play : null} onDismiss={isPaused ? stop : dismissNotice} />}
    >
      <p>{noticeText}</p>
    </Banner>
  )
}

interface RemediesProps {
  onRetry: (() => void) | null
  onDismiss: () => void
}

const Remedies = ({ onRetry, onDismiss }: RemediesProps) => (
  <>
    {onRetry === null ? null : (
      <Button tone="primary" icon={<RotateCw />} onClick={onRetry}>
        {NO_CAMERA.retry}
      </Button>
    )}
    <Button onClick={onDismiss}>{SCANNER.dismiss}</Button>
    <Button tone={onRetry === null ? 'primary' : 'secondary'} onClick={() => location.reload()}>
      {SCANNER.reload}
    </Button>
  </>
)
