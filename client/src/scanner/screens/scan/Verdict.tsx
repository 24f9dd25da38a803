import { SCAN_PAUSE_MS } from '@garba/shared/constants'
import { Check, Circle, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { cx } from '../../../kit/cx.ts'
import type { Look, ShownScan } from '../../core/scan.ts'
import { SCAN_NOTES, SCANNER } from '../../texts/scanner.ts'
import styles from './Verdict.module.css'

interface VerdictProps {
  shown: ShownScan
  onDismiss: () => void
}

/** Longer names are set smaller, so that they fit on the screen. */
const NAME_LONG = 36

const SHAPE = { allowed: Check, pending: Circle, refused: X } as const satisfies Record<Look, unknown>

/** The welcome already contains the name, and then it is the large line; over a group it is how many went in. */
function linesOf({ look, name, ticketId, detail }: ShownScan): [name: string | null, detail: string | null] {
  if (look === 'allowed' && ticketId !== null) return [detail, null]
  return [name ?? (look === 'pending' ? SCAN_NOTES.noName : null), detail]
}

/** The whole screen for three seconds: colour, shape, SPEC's words; a tap or key ends it. */
export const Verdict = ({ shown, onDismiss }: VerdictProps) => {
  const Shape = SHAPE[shown.look]
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const before = document.activeElement
    button.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  const [name, detail] = linesOf(shown)
  return (
    <div className={cx(styles.verdict, styles[shown.look])} data-look={shown.look} data-by={shown.by}>
      <span className={styles.shape} aria-hidden="true">
        <Shape />
      </span>
      <div className={styles.words}>
        <p className={styles.title}>{shown.title}</p>
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
