import {
  ChevronDown,
  Clock,
  CloudOff,
  CloudUpload,
  HardDrive,
  ListChecks,
  TriangleAlert,
  Users,
  Wifi,
  WifiOff,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../../kit/cx.ts'
import tones from '../../../kit/tones.module.css'
import { type Phrase, wholeText } from '../../texts/phrases.ts'
import { STATUS_BAR } from '../../texts/scanner.ts'
import styles from './StatusBar.module.css'
import { type StatusFact, type Tone, useStatus } from './useStatus.ts'

interface StatusBarProps extends Record<'onUnsent' | 'onConflicts' | 'onReadiness' | 'onToggle', () => void> {
  /** Until the line is opened, a phone shows words only for trouble. */
  isOpen: boolean
}

export const StatusBar = ({ onUnsent, onConflicts, onReadiness, isOpen, onToggle }: StatusBarProps) => {
  const { connection, unsent, again, list, drift, conflicts, trouble, end } = useStatus()
  return (
    <section className={cx(styles.bar, !isOpen && styles.brief)} aria-label={STATUS_BAR.label}>
      <div className={cx(styles.line, styles[getWorstTone([connection, unsent, list])])}>
        <Pressed
          said={connection}
          icon={connection.tone === 'ok' ? <Wifi /> : <WifiOff />}
          onPress={onToggle}
          isOpen={isOpen}
        />
        <Pressed said={unsent} icon={unsent.tone === 'ok' ? <CloudUpload /> : <CloudOff />} onPress={onUnsent} />
        <Pressed said={list} icon={<ListChecks />} onPress={onReadiness} />
      </div>
      {drift === null ? null : (
        <Chip tone="bad" icon={<Clock />} onPress={onReadiness}>
          {drift}
        </Chip>
      )}
      {again === null ? null : (
        <Note icon={<CloudUpload />}>
          <span className="tabular">{again}</span>
        </Note>
      )}
      {end === null ? null : <Note icon={<Clock />}>{end}</Note>}
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
const getWorstTone = (facts: readonly StatusFact[]): Tone =>
  WORST_FIRST.find((tone) => facts.some((fact) => fact.tone === tone)) ?? 'ok'

interface FactProps {
  said: StatusFact
  icon: ReactNode
}

const Pressed = ({ onPress, isOpen, ...fact }: FactProps & { onPress: () => void; isOpen?: boolean }) => (
  <button
    type="button"
    className={cx(styles.fact, styles.press, styles[fact.said.tone])}
    aria-expanded={isOpen}
    onClick={onPress}
  >
    <Inside {...fact} />
    {isOpen === undefined ? null : <ChevronDown className={styles.chevron} />}
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
        <span key={wholeText([part])} className={'roomy' in part ? styles.roomy : styles.wide}>
          {wholeText([part])}
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

export const Chip = ({ tone, icon, onPress, children }: ChipProps) => (
  <button type="button" className={cx(styles.chip, tones[tone])} onClick={onPress}>
    <span className={styles.chipIcon} aria-hidden="true">
      {tone === 'bad' ? <TriangleAlert /> : icon}
    </span>
    <span className="tabular">{children}</span>
  </button>
)
