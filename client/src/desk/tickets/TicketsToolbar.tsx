import { type TicketStatus, ticketStatusSchema } from '@garba/shared/contracts/common'
import { DESK } from '@garba/shared/messages/desk'
import { Select } from '../../kit/Select.tsx'
import { SearchBox } from '../frame/SearchBox.tsx'
import { Toolbar } from '../frame/Toolbar.tsx'
import type { TableUrl } from '../frame/useTableUrl.ts'

const words = DESK.tickets
const STATUSES = [
  { value: '', label: words.allStatuses },
  ...ticketStatusSchema.options.map((value) => ({ value, label: words.statuses[value] })),
] as const

export const TicketsToolbar = ({ url }: { url: TableUrl<TicketStatus> }) => (
  <Toolbar>
    <SearchBox label={words.search} placeholder={words.searchHint} value={url.search} onSearch={url.setSearch} />
    <Select label={words.status} value={url.filter} options={STATUSES} onChange={url.setFilter} />
  </Toolbar>
)
