import { REHEARSAL } from '@garba/shared/messages/common'
import styles from './RehearsalMark.module.css'

/** More than any screen is high. */
const TIMES = 40

/** "REHEARSAL" all along the left edge, over everything, that moves nothing and catches no press. */
export const RehearsalMark = () => (
  <aside className={styles.edge} aria-label={REHEARSAL.mark} title={REHEARSAL.note}>
    <span>{REHEARSAL.mark}</span>
    <span aria-hidden="true">{` · ${REHEARSAL.mark}`.repeat(TIMES)}</span>
  </aside>
)
