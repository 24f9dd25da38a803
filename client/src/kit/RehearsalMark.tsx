import { REHEARSAL } from '@garba/shared/messages/common'
import styles from './RehearsalMark.module.css'

/** Enough repetitions for the highest screen. */
const TIMES = 40

/** "REHEARSAL" all along the left edge, over everything. It moves nothing and takes no presses. */
export default function RehearsalMark() {
  const { mark, note } = REHEARSAL
  return (
    <aside className={styles.edge} aria-label={mark} title={note}>
      <span>{mark}</span>
      <span aria-hidden="true">{` · ${mark}`.repeat(TIMES)}</span>
    </aside>
  )
}
