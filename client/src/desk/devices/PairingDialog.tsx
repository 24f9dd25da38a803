import type { DeskDevice } from '@garba/shared/contracts/device'
import { DEVICES } from '@garba/shared/messages/deskDevices'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { clockOffset } from '../../platform/net/clock.ts'
import { useNow } from '../../platform/screen/now.ts'
import { useWakeLock } from '../../platform/screen/wakeLock.ts'
import styles from './Devices.module.css'
import type { Pairable } from './useDeviceChanges.ts'

const words = DEVICES.pairing
const SECOND_MS = 1_000

interface PairingDialogProps {
  pairable: Pairable
  /** The device as it is now. */
  now: DeskDevice
  busy: boolean
  onNewCode: () => void
  onClose: () => void
}

/** The code that makes a phone this device, until a phone has used it or it has expired. */
export const PairingDialog = ({ pairable, now, busy, onNewCode, onClose }: PairingDialogProps) => {
  const { device, pairing } = pairable
  const at = useNow(SECOND_MS) + clockOffset()
  const left = Date.parse(pairing.expiresAt) - at
  const isPaired = now.pairedAt !== null && now.pairedAt !== device.pairedAt
  useWakeLock(true)
  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title={words.title(now.name)}
      initialFocus="title"
      dismissOutside={false}
      footer={
        <Button tone={isPaired ? 'primary' : 'secondary'} onClick={onClose}>
          {isPaired ? words.done : words.later}
        </Button>
      }
    >
      {isPaired ? (
        <Banner tone="ok" live="status" title={words.paired}>
          {words.pairedAs(now.label)}
        </Banner>
      ) : left > 0 ? (
        <div className={styles.pairing}>
          <p>{words.text}</p>
          <Qr text={pairing.url} label={words.qr} className={styles.qr} />
          <p className={styles.code}>{pairing.code}</p>
          <p className={styles.soft} role="timer">
            {words.left(clockText(left))}
          </p>
        </div>
      ) : (
        <Banner
          tone="warn"
          live="status"
          title={words.expired}
          actions={
            <Button tone="primary" busy={busy} onClick={onNewCode}>
              {words.newCode}
            </Button>
          }
        />
      )}
    </Dialog>
  )
}

/** Milliseconds as 9:05. */
function clockText(ms: number): string {
  const seconds = Math.ceil(ms / SECOND_MS)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
