import { ticketTail } from '@garba/shared/messages/common'
import type { ConflictWords } from '../../core/words.ts'
import { CONFLICTS } from '../../texts/scanner.ts'
import styles from './ConflictSides.module.css'

export const ConflictName = ({ name, ticketId }: { name: string; ticketId: string }) => (
  <p className={styles.name}>
    {name} <span className="tabular">{ticketTail(ticketId)}</span>
  </p>
)

export const ConflictSides = ({ first, second }: Pick<ConflictWords, 'first' | 'second'>) => (
  <dl className={styles.sides}>
    <dt>{CONFLICTS.first}</dt>
    <dd>{first}</dd>
    <dt>{CONFLICTS.second}</dt>
    <dd>{second}</dd>
  </dl>
)
