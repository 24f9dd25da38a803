import { WifiOff } from 'lucide-react'
import { Banner } from '../../kit/Banner.tsx'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import styles from './DataAge.module.css'
import type { GuestData } from './useGuestData.ts'

export const OFFLINE_NOTE = 'guest-offline-note'

export const needsNetwork = (online: boolean) => ({
  disabled: !online,
  'aria-describedby': online ? undefined : OFFLINE_NOTE,
})

interface DataAgeProps {
  data: GuestData
  online: boolean
  now: number
}

const findSavedAt = ({ tickets }: GuestData): number | null => (tickets.type === 'known' ? tickets.savedAt : null)

export const DataAge = ({ data, online, now }: DataAgeProps) => {
  const { age } = useWords()
  const format = useFormat()
  const savedAt = findSavedAt(data)
  const ago = savedAt === null ? null : format.ago(savedAt, now)
  const saved = data.notKept ? age.updated : age.saved
  return (
    <div className="stack-3" aria-live="polite">
      {!online || data.tickets.type === 'failed' ? null : (
        <p className={styles.line}>
          {ago === null ? null : data.refreshing ? `${saved(ago)}. ${age.checking}` : age.updated(ago)}
        </p>
      )}
      {data.notKept && savedAt !== null ? (
        <Banner tone="warn">
          <p>{age.notKept}</p>
        </Banner>
      ) : null}
    </div>
  )
}

export const OfflineStrip = ({ data, online, now }: DataAgeProps) => {
  const { age } = useWords()
  const format = useFormat()
  const savedAt = findSavedAt(data)
  const opensGate = data.tickets.type === 'known' && data.tickets.value.some(({ status }) => status === 'active')
  const says = data.notKept ? age.updated : opensGate ? age.offline : age.saved
  return (
    <div className={styles.place} aria-live="polite">
      {online ? null : (
        <div className={styles.strip}>
          <WifiOff />
          <div>
            <p>
              <strong>{age.offlineTitle}</strong>{' '}
              {/* Until the device's own store has been read, it may not be called empty. */}
              {data.tickets.type === 'loading' ? null : (
                <span>{savedAt === null ? age.offlineEmpty : says(format.ago(savedAt, now))}</span>
              )}
            </p>
            <p id={OFFLINE_NOTE} className={styles.note}>
              {age.needsNetwork}
            </p>
          </div>
        </div>
      )}
    </div>
  )
}
