import { STATUS_BAR } from '@garba/shared/messages/scanner'
import { Clock, CloudOff, CloudUpload, HardDrive, ListChecks, TriangleAlert, Users, Wifi, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../kit/cx.ts'
import tones from '../../kit/tones.module.css'
import styles from './StatusBar.module.css'
import { type Tone, useStatus } from './useStatus.ts'

interface StatusBarProps {
  onUnsent: () => void
  onConflicts: () => void
  onReadiness: () => void
}

/** Always visible: the connection as tested, what is unsent and how old, the list's age and size (DECISIONS 3). */
export const StatusBar = ({ onUnsent, onConflicts, onReadiness }: StatusBarProps) => {
  const { connection, unsent, list, drift, conflicts, trouble } = useStatus()
  return (
    <section className={styles.bar} aria-label={STATUS_BAR.label}>
      <Chip tone={connection.tone} icon={connection.tone === 'ok' ? <Wifi /> : <WifiOff />}>
        {connection.text}
      </Chip>
      <Chip tone={unsent.tone} icon={unsent.tone === 'ok' ? <CloudUpload /> : <CloudOff />} onPress={onUnsent}>
        {unsent.text}
      </Chip>
      <Chip tone={list.tone} icon={<ListChecks />} onPress={onReadiness}>
        {list.text}
      </Chip>
      {drift === null ? null : (
        <Chip tone="bad" icon={<Clock />} onPress={onReadiness}>
          {drift}
        </Chip>
      )}
      {trouble === null ? null : (
        <Chip tone="bad" icon={<HardDrive />} onPress={onReadiness}>
          {trouble}
        </Chip>
      )}
      {conflicts === null ? null : (
        <Chip tone="bad" icon={<Users />} onPress={onConflicts}>
          {conflicts}
        </Chip>
      )}
    </section>
  )
}

interface ChipProps {
  tone: Tone
  icon: ReactNode
  onPress?: () => void
  children: ReactNode
}

/** A short fact, with a button for its details. */
export const Chip = ({ tone, icon, onPress, children }: ChipProps) => {
  const inside = (
    <>
      <span className={styles.icon} aria-hidden="true">
        {tone === 'bad' ? <TriangleAlert /> : icon}
      </span>
      <span className="tabular">{children}</span>
    </>
  )
  const className = cx(styles.chip, tones[tone])
  return onPress === undefined ? (
    <span className={className}>{inside}</span>
  ) : (
    <button type="button" className={cx(className, styles.press)} onClick={onPress}>
      {inside}
    </button>
  )
}
