import { REHEARSAL } from '@garba/shared/messages/common'
import styles from './RehearsalMark.module.css'

/** More than any screen is high. */
const TIMES = 40

/** "REHEARSAL" all along the left edge, over everything, that moves nothing and catches no press. */
export default function RehearsalMark() {
  const { mark, note } = REHEARSAL
  return (
    <aside className={styles.edge} aria-label={mark} title={note}>
      <span>{mark}</span>
      <span aria-hidden="true">{` · ${mark}`.repeat(TIMES)}</span>
    </aside>
  )
}
