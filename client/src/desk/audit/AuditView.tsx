import { PAGE_SIZE } from '@garba/shared/constants'
import { auditActionSchema } from '@garba/shared/contracts/desk'
import { DESK } from '@garba/shared/messages/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { call, callFile } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { saveFile } from '../../platform/saveFile.ts'
import { TableView } from '../frame/TableView.tsx'
import { useTableUrl } from '../frame/useTableUrl.ts'
import { AuditTable } from './AuditTable.tsx'

const words = FIGURES.audit
const ACTIONS = [
  { value: '', label: words.allActions },
  ...auditActionSchema.options.map((value) => ({ value, label: words.actions[value] })),
] as const

/** Who changed what when: roles, statuses, deletions, event edits, refunds, sales and scans. */
export default function AuditView() {
  const url = useTableUrl('action', auditActionSchema.options)
  const asked = { search: url.search, action: url.filter }
  const query = useQuery({
    queryKey: ['audit', { page: url.page, ...asked }],
    queryFn: ({ signal }) => call('audit', { query: { page: url.page, limit: PAGE_SIZE, ...asked }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const save = useMutation({
    mutationFn: async () => saveFile(await callFile('exportAudit', { query: asked }), 'audit.csv'),
    onSuccess: () => toast.success(words.exported),
    onError: (failed) => toast.error(FAILURE_TOASTS.exportTickets(messageOf(failed))),
  })
  return (
    <TableView
      title={DESK.titles.audit}
      words={words}
      url={url}
      query={query}
      failed={words.failed}
      rowsIn={({ pagination }) => pagination.totalRows}
      filter={{ label: words.action, options: ACTIONS }}
      actions={
        <Button icon={<Download aria-hidden="true" />} busy={save.isPending} onClick={() => save.mutate()}>
          {words.exportCsv}
        </Button>
      }
    >
      {({ rows }) => <AuditTable rows={rows} busy={query.isFetching} />}
    </TableView>
  )
}
