import { Clock, CloudOff, CloudUpload, HardDrive, ListChecks, TriangleAlert, Users, Wifi, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../../kit/cx.ts'
import tones from '../../../kit/tones.module.css'
import { type Phrase, STATUS_BAR } from '../../texts/scanner.ts'
import chipStyles from './Chip.module.css'
import styles from './StatusBar.module.css'
import { type Said, type Tone, useStatus } from './useStatus.ts'

type StatusAction = 'onUnsent' | 'onConflicts' | 'onReadiness'

/**
 * One line, always visible: the tested connection, the unsent scans and their age, the list's age. Below it, only if needed: the
 * clock, storage, scans sent again to a restored server, a pairing that ends soon, double admissions to read.
 */
export const StatusBar = ({ onUnsent, onConflicts, onReadiness }: Record<StatusAction, () => void>) => {
  const { connection, unsent, again, list, drift, conflicts, trouble, end } = useStatus()
  return (
    <section className={styles.bar} aria-label={STATUS_BAR.label}>
      <div className={cx(styles.line, styles[worstOf([connection, unsent, list])])}>
        <span className={cx(styles.fact, styles[connection.tone])}>
          <Inside said={connection} icon={connection.tone === 'ok' ? <Wifi /> : <WifiOff />} />
        </span>
        <Pressed said={unsent} icon={unsent.tone === 'ok' ? <CloudUpload /> : <CloudOff />} onPress={onUnsent} />
        <Pressed said={list} icon={<ListChecks />} onPress={onReadiness} />
      </div>
      {drift === null ? null : (
        <Chip tone="bad" icon={<Clock />} onPress={onReadiness}>
          {drift}
        </Chip>
      )}
      {again === null ? null : (
        <Note icon={<CloudUpload aria-hidden="true" />}>
          <span className="tabular">{again}</span>
        </Note>
      )}
      {end === null ? null : <Note icon={<Clock aria-hidden="true" />}>{end}</Note>}
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

const Note = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <p className={cx(styles.note, tones.warn)}>
    {icon}
    {children}
  </p>
)

const WORST_FIRST: readonly Tone[] = ['bad', 'warn', 'ok']
const worstOf = (facts: readonly Said[]): Tone =>
  WORST_FIRST.find((tone) => facts.some((fact) => fact.tone === tone)) ?? 'ok'

interface FactProps {
  said: Said
  icon: ReactNode
}

const Pressed = ({ onPress, ...fact }: FactProps & { onPress: () => void }) => (
  <button type="button" className={cx(styles.fact, styles.press, styles[fact.said.tone])} onClick={onPress}>
    <Inside {...fact} />
  </button>
)

const Inside = ({ said, icon }: FactProps) => (
  <>
    <span className={styles.icon} aria-hidden="true">
      {said.tone === 'bad' ? <TriangleAlert /> : icon}
    </span>
    <Words phrase={said.words} />
  </>
)

const Words = ({ phrase }: { phrase: Phrase }) => (
  <span className={cx(styles.words, 'tabular')}>
    {phrase.map((part) =>
      typeof part === 'string' ? (
        part
      ) : (
        <span key={part.text} className={styles[part.room]}>
          {part.text}
        </span>
      ),
    )}
  </span>
)

interface ChipProps {
  tone: Tone
  icon: ReactNode
  onPress: () => void
  children: ReactNode
}

/** A short fact that opens its details. */
export const Chip = ({ tone, icon, onPress, children }: ChipProps) => (
  <button type="button" className={cx(chipStyles.chip, tones[tone])} onClick={onPress}>
    <span className={chipStyles.icon} aria-hidden="true">
      {tone === 'bad' ? <TriangleAlert /> : icon}
    </span>
    <span className="tabular">{children}</span>
  </button>
)
