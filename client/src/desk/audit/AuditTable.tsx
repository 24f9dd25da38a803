import type { AuditRow } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { useDates } from '../frame/dates.ts'
import styles from './Audit.module.css'

const words = FIGURES.audit

export const AuditTable = ({ rows, busy }: { rows: readonly AuditRow[]; busy: boolean }) => {
  const { momentOf } = useDates()
  const head = (
    <>
      <Th>{words.columns.at}</Th>
      <Th>{words.columns.actor}</Th>
      <Th>{words.columns.action}</Th>
      <Th>{words.columns.subject}</Th>
      <Th>{words.columns.detail}</Th>
    </>
  )
  return (
    <Table caption={words.caption} head={head} busy={busy}>
      {rows.map(({ id, at, actorName, action, subject, subjectName, detail }) => (
        <Tr key={id}>
          <Td label={words.columns.at} className={styles.when}>
            <time dateTime={at} className="tabular">
              {momentOf(at)}
            </time>
          </Td>
          <Td label={words.columns.actor} className={styles.who}>
            {actorName}
          </Td>
          <Td label={words.columns.action} className={styles.action}>
            {words.actions[action]}
          </Td>
          <Td label={words.columns.subject} className={styles.subject}>
            {subjectName ?? subject ?? words.noSubject}
          </Td>
          <Td className={styles.detail}>{detail}</Td>
        </Tr>
      ))}
    </Table>
  )
}
