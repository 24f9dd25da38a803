import { REHEARSAL } from '@garba/shared/messages/common'
import styles from './RehearsalMark.module.css'

const TIMES = 40

export default function RehearsalMark() {
  const { mark, note } = REHEARSAL
  return (
    <aside className={styles.edge} aria-label={mark} title={note}>
      <span>{mark}</span>
      <span aria-hidden="true">{` · ${mark}`.repeat(TIMES)}</span>
    </aside>
  )
}
