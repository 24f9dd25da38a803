import { SCAN_PAUSE_MS } from '@garba/shared/constants'
import { Check, Circle, X } from 'lucide-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { cx } from '../../../kit/cx.ts'
import { useNow } from '../../../platform/screen/now.ts'
import { clockNow } from '../../core/moment.ts'
import type { Look, ShownScan } from '../../core/scan.ts'
import { refusalWords } from '../../core/words.ts'
import { GROUP, SCAN_NOTES, SCANNER } from '../../texts/scanner.ts'
import styles from './Verdict.module.css'

interface VerdictProps {
  shown: ShownScan
  /** Px from left and top; null if no code was read. */
  at: { x: number; y: number } | null
  onDismiss: () => void
}

/** Longer names are set smaller, so that they fit on the screen. */
const NAME_LONG = 36

const SHAPE = { allowed: Check, pending: Circle, refused: X } as const satisfies Record<Look, unknown>

/** The welcome contains the name, so it is the large line itself. A group's count is larger than any other line. */
function linesOf({ look, name, ticketId, people }: ShownScan, detail: string): [string | null, string | null] {
  if (look === 'allowed' && ticketId !== null) return [detail, null]
  if (people !== undefined) return [null, detail]
  return [name ?? (look === 'pending' ? SCAN_NOTES.noName : null), detail]
}

const SECOND_MS = 1_000

/** The words about a scan, in which "(12 s ago)" keeps counting. */
export function useDetail({ refusal, detail }: ShownScan): string {
  useNow(SECOND_MS)
  return refusal?.entry?.at ? refusalWords(refusal, clockNow()).detail : detail
}

/**
 * The whole screen: colour, shape and words. It stays for three seconds, a refusal until the next code; a tap or key
 * closes it. `at`: the point on the screen where the code was, from which green spreads.
 */
export const Verdict = ({ shown, at, onDismiss }: VerdictProps) => {
  const Shape = SHAPE[shown.look]
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const before = document.activeElement
    button.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  const [name, detail] = linesOf(shown, useDetail(shown))
  const { people } = shown
  const [origin] = useState(at)
  const count = people === undefined ? null : <Count people={people} />
  const isPending = shown.look === 'pending'
  return (
    <div
      className={cx(styles.verdict, styles[shown.look], people !== undefined && styles.group)}
      style={origin === null ? undefined : ({ '--x': `${origin.x}px`, '--y': `${origin.y}px` } as CSSProperties)}
      data-look={shown.look}
      data-by={shown.by}
    >
      <span className={styles.shape} aria-hidden="true">
        <Shape />
      </span>
      <div className={styles.words}>
        {isPending ? (count ?? <p className={styles.lead}>{SCAN_NOTES.letIn}</p>) : null}
        <p className={cx(styles.title, isPending && styles.second)}>{shown.title}</p>
        {isPending ? null : count}
        {name === null ? null : <p className={cx(styles.name, name.length > NAME_LONG && styles.long)}>{name}</p>}
        {detail === null ? null : <p className={styles.detail}>{detail}</p>}
      </div>
      <button ref={button} type="button" className={styles.on} onClick={onDismiss}>
        <span>{SCANNER.continue}</span>
        <span className={styles.rest} style={{ animationDuration: `${SCAN_PAUSE_MS}ms` }} />
      </button>
    </div>
  )
}

/** "4 let in": the number is the largest thing on the screen. */
const Count = ({ people }: { people: number }) => {
  const [number, ...words] = GROUP.wentIn(people).split(' ')
  return (
    <p className={styles.count}>
      <strong className="tabular">{number}</strong> {words.join(' ')}
    </p>
  )
}
