import { AUDIT_SORTS, type AuditRow, auditActionSchema } from '@garba/shared/contracts/desk'
import { useQuery } from '@tanstack/react-query'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { callFile } from '../../platform/http/call.ts'
import { queries } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { DownloadButton } from '../frame/ExportButton.tsx'
import { TableView } from '../frame/TableView.tsx'
import { filterOptions, SortTh, useTableUrl } from '../frame/tableUrl.tsx'
import { DESK } from '../texts/desk.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './AuditView.module.css'

const words = FIGURES.audit
const ACTIONS = filterOptions(words.allActions, auditActionSchema.options, words.actions)

export default function AuditView() {
  const url = useTableUrl({ filter: 'action', values: auditActionSchema.options, sorts: AUDIT_SORTS })
  const { eventQuery } = useDeskEvent()
  const filters = { ...eventQuery, search: url.search, action: url.filter }
  const query = useQuery(queries.audit({ page: url.page, sort: url.sort, ...filters }))
  return (
    <TableView
      title={DESK.titles.audit}
      byEvent
      words={words}
      url={url}
      query={query}
      failed={words.failed}
      rowsIn={({ pagination }) => pagination.totalRows}
      filter={{ label: words.action, options: ACTIONS }}
      actions={
        <DownloadButton
          fetch={() => callFile('exportAudit', { query: filters })}
          name="audit.csv"
          done={words.exported}
          failed={words.exportFailed}
        >
          {words.exportCsv}
        </DownloadButton>
      }
    >
      {({ rows }) => <AuditTable rows={rows} busy={query.isFetching} />}
    </TableView>
  )
}

const AuditTable = ({ rows, busy }: { rows: readonly AuditRow[]; busy: boolean }) => {
  const { momentOf } = useDates()
  const head = (
    <>
      <SortTh column="at" newest>
        {words.columns.at}
      </SortTh>
      <SortTh column="actor">{words.columns.actor}</SortTh>
      <SortTh column="action">{words.columns.action}</SortTh>
      <SortTh column="subject">{words.columns.subject}</SortTh>
      <Th>{words.columns.detail}</Th>
    </>
  )
  return (
    <Table list caption={words.caption} head={head} busy={busy}>
      {rows.map(({ id, at, actorName, action, subject, subjectName, detail }) => (
        <Tr key={id}>
          <Td label={words.columns.at} place="state" className={styles.when}>
            <time dateTime={at} className="tabular">
              {momentOf(at)}
            </time>
          </Td>
          <Td label={words.columns.actor} className={styles.who} title={actorName}>
            <span className={styles.clamped}>{actorName}</span>
          </Td>
          <Td label={words.columns.action} place="title" className={styles.action}>
            {words.actions[action]}
          </Td>
          <Td label={words.columns.subject} className={styles.subject} title={subjectName ?? undefined}>
            <span className={styles.clamped}>{subjectName ?? subject ?? words.noSubject}</span>
          </Td>
          <Td place="more" className={styles.detail}>
            {detail}
          </Td>
        </Tr>
      ))}
    </Table>
  )
}
