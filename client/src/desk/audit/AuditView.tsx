import { PAGE_SIZE } from '@garba/shared/constants'
import { auditActionSchema } from '@garba/shared/contracts/desk'
import { DESK } from '@garba/shared/messages/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Download, RotateCw } from 'lucide-react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { Select } from '../../kit/Select.tsx'
import { call, callFile } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { saveFile } from '../../platform/saveFile.ts'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { refreshTold } from '../frame/refreshTold.ts'
import { SearchBox } from '../frame/SearchBox.tsx'
import { TablePages } from '../frame/TablePages.tsx'
import { TableState } from '../frame/TableState.tsx'
import { Toolbar } from '../frame/Toolbar.tsx'
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
  const { data, error, isPending, isFetching, refetch } = useQuery({
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
    <DeskFrame
      title={DESK.titles.audit}
      actions={
        <>
          <Button
            icon={<RotateCw aria-hidden="true" />}
            busy={isFetching && !isPending}
            onClick={() => refreshTold({ refetch, failed: words.failed })}
          >
            {DESK.refresh}
          </Button>
          <Button icon={<Download aria-hidden="true" />} busy={save.isPending} onClick={() => save.mutate()}>
            {words.exportCsv}
          </Button>
        </>
      }
    >
      <Toolbar>
        <SearchBox label={words.search} placeholder={words.searchHint} value={url.search} onSearch={url.setSearch} />
        <Select label={words.action} value={url.filter} options={ACTIONS} onChange={url.setFilter} />
      </Toolbar>
      <TableState
        {...{ error, isPending, words, refetch, failed: words.failed }}
        empty={data?.pagination.totalRows === 0}
        filtered={url.search !== '' || url.filter !== ''}
        onReset={url.reset}
      />
      {data && data.rows.length > 0 ? <AuditTable rows={data.rows} busy={isFetching} /> : null}
      {data ? (
        <TablePages label={words.caption} pagination={data.pagination} of={data.pagination.totalRows} url={url} />
      ) : null}
    </DeskFrame>
  )
}
