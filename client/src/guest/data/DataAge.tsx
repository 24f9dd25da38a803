import { WifiOff } from 'lucide-react'
import { Banner } from '../../kit/Banner.tsx'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import styles from './DataAge.module.css'
import type { GuestData } from './useGuestData.ts'

/** Id of the text that explains why a button is disabled while offline. */
export const OFFLINE_NOTE = 'guest-offline-note'

/** How old the data is and, while offline, what does not work and why. */
export const DataAge = ({ data, online, now }: { data: GuestData; online: boolean; now: number }) => {
  const { age } = useWords()
  const format = useFormat()
  const savedAt = data.tickets.type === 'known' ? data.tickets.savedAt : null
  const ago = savedAt === null ? null : format.ago(savedAt, now)
  return (
    <div className={styles.age} aria-live="polite">
      {online && data.tickets.type === 'failed' ? null : online ? (
        <p className={styles.line}>
          {ago === null ? null : data.refreshing ? `${age.saved(ago)}. ${age.checking}` : age.updated(ago)}
        </p>
      ) : (
        <Banner tone="warn" title={age.offlineTitle} icon={<WifiOff aria-hidden="true" />}>
          {/* Until the device's own store has been read, it may not be called empty. */}
          {data.tickets.type === 'loading' ? null : <p>{ago === null ? age.offlineEmpty : age.offline(ago)}</p>}
          <p id={OFFLINE_NOTE}>{age.needsNetwork}</p>
        </Banner>
      )}
      {data.notKept && savedAt !== null ? (
        <Banner tone="warn">
          <p>{age.notKept}</p>
        </Banner>
      ) : null}
    </div>
  )
}
