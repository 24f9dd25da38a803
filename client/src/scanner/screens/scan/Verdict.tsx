import { SCAN_PAUSE_MS, SECOND_MS } from '@garba/shared/constants'
import { pickTypeName } from '@garba/shared/rules/types/ticketTypes'
import { Check, Circle, LogOut, X } from 'lucide-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { cx } from '../../../kit/cx.ts'
import { useLanguage } from '../../../platform/language.ts'
import { useNow } from '../../../platform/screen/now.ts'
import { clockNow } from '../../core/moment.ts'
import { useRight } from '../../core/pairing.ts'
import type { Look, ShownScan } from '../../core/scan.ts'
import { nextStep, refusalWords } from '../../core/words.ts'
import { findTicketType } from '../../store/rosterMemory.ts'
import { EXITS } from '../../texts/movement.ts'
import { DAY, GROUP, SCAN_NOTES, SCANNER } from '../../texts/scanner.ts'
import styles from './Verdict.module.css'

interface VerdictProps {
  shown: ShownScan
  /** Px from left and top; null if no code was read. */
  at: { x: number; y: number } | null
  onDismiss: () => void
}

const NAME_LONG = 36

const SHAPE = { allowed: Check, pending: Circle, refused: X } as const satisfies Record<Look, unknown>

function buildVerdictLines(
  { look, name, ticketId, people }: ShownScan,
  detail: string,
): [string | null, string | null] {
  if (look === 'allowed' && ticketId !== null) return [detail, null]
  if (people !== undefined) return [null, detail]
  return [name ?? (look === 'pending' ? SCAN_NOTES.noName : null), detail]
}

export function useDetail({ refusal, detail }: ShownScan): string {
  useNow(SECOND_MS)
  return refusal?.entry?.at ? refusalWords(refusal, clockNow()).detail : detail
}

export function useNextStep(shown: ShownScan | null): string | null {
  const mayFind = useRight('find')
  return shown?.refusal ? nextStep(shown.refusal, { mayFind, isGroup: shown.isGroup ?? false }) : null
}

export const Verdict = ({ shown, at, onDismiss }: VerdictProps) => {
  const Shape = shown.isExit && shown.look === 'allowed' ? LogOut : SHAPE[shown.look]
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const before = document.activeElement
    button.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  const [name, detail] = buildVerdictLines(shown, useDetail(shown))
  const next = useNextStep(shown)
  const { people } = shown
  const [origin] = useState(at)
  const count = people === undefined ? null : <Count people={people} isExit={shown.isExit === true} />
  const isPending = shown.look === 'pending'
  // The note says what to do with people who come in.
  const type = useTypeWords(shown, { withNote: shown.look !== 'refused' && !shown.isExit })
  const isNoted = type !== null && type.length > NAME_LONG
  return (
    <div
      className={cx(
        styles.verdict,
        styles[shown.look],
        people !== undefined && styles.group,
        isNoted && cx(styles.group, styles.noted),
      )}
      style={origin === null ? undefined : ({ '--x': `${origin.x}px`, '--y': `${origin.y}px` } as CSSProperties)}
      data-look={shown.look}
      data-by={shown.by}
    >
      {shown.isPractice ? <p className={styles.practice}>{DAY.tag}</p> : null}
      <span className={styles.shape} aria-hidden="true">
        <Shape />
      </span>
      <div className={styles.words}>
        {isPending ? (count ?? <p className={styles.lead}>{shown.isExit ? EXITS.left : SCAN_NOTES.letIn}</p>) : null}
        <p className={cx(styles.title, isPending && styles.second)}>{shown.title}</p>
        {isPending ? null : count}
        {type === null ? null : <p className={styles.type}>{type}</p>}
        {name === null ? null : <p className={cx(styles.name, name.length > NAME_LONG && styles.long)}>{name}</p>}
        {detail === null ? null : <p className={styles.detail}>{detail}</p>}
        {next === null ? null : <p className={styles.next}>{next}</p>}
        {shown.otherDay === undefined ? null : <p className={styles.day}>{shown.otherDay}</p>}
      </div>
      <button ref={button} type="button" className={styles.on} onClick={onDismiss}>
        <span>{SCANNER.continue}</span>
        <span className={styles.rest} style={{ animationDuration: `${SCAN_PAUSE_MS}ms` }} />
      </button>
    </div>
  )
}

/** "VIP", or with its note "Student: ask for the id card", where the event has several types. */
export function useTypeWords(
  { ticketId, type: said }: Pick<ShownScan, 'ticketId' | 'type'>,
  { withNote = true } = {},
): string | null {
  const language = useLanguage((state) => state.language)
  const type = findTicketType(ticketId) ?? said
  if (!type) return null
  const name = pickTypeName(type.name, language)
  return withNote && type.note !== null ? `${name}: ${type.note}` : name
}

const Count = ({ people, isExit }: { people: number; isExit: boolean }) => {
  const [number, ...words] = (isExit ? EXITS.group.wentOut(people) : GROUP.wentIn(people)).split(' ')
  return (
    <p className={styles.count}>
      <strong className="tabular">{number}</strong> {words.join(' ')}
    </p>
  )
}
