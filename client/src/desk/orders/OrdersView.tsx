import { ORDER_CHANNELS, ORDER_PROVIDERS, ORDER_STATES } from '@garba/shared/contracts/names'
import { DESK } from '@garba/shared/messages/desk'
import { ORDERS } from '@garba/shared/messages/deskOrders'
import { SELL } from '@garba/shared/messages/deskSell'
import { useQuery } from '@tanstack/react-query'
import { Download, Store } from 'lucide-react'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Select } from '../../kit/Select.tsx'
import { callFile } from '../../platform/http/call.ts'
import { queries } from '../../platform/queries.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { TableView } from '../frame/TableView.tsx'
import { useDownload } from '../frame/useDownload.ts'
import { useTableUrl, useUrlChoice } from '../frame/useTableUrl.ts'
import { OrdersTable } from './OrdersTable.tsx'

const words = ORDERS
const STATES = [
  { value: '', label: words.allStates },
  ...ORDER_STATES.map((value) => ({ value, label: words.states[value] })),
] as const
const CHANNELS = [
  { value: '', label: words.allChannels },
  ...ORDER_CHANNELS.map((value) => ({ value, label: words.channels[value] })),
] as const
const PROVIDERS = [
  { value: '', label: words.allProviders },
  ...ORDER_PROVIDERS.map((value) => ({ value, label: words.providers[value] })),
] as const

/** Every sale of an event, with its money (DECISIONS 7). */
export default function OrdersView() {
  const url = useTableUrl('state', ORDER_STATES, ['channel', 'provider'])
  const [channel, setChannel] = useUrlChoice('channel', ORDER_CHANNELS)
  const [provider, setProvider] = useUrlChoice('provider', ORDER_PROVIDERS)
  const { asked } = useDeskEvent()
  const wanted = { ...asked, search: url.search, state: url.filter, channel, provider }
  const query = useQuery(queries.orders({ page: url.page, ...wanted }))
  const save = useDownload({
    fetch: () => callFile('exportOrders', { query: wanted }),
    name: 'orders.csv',
    done: words.exported,
    failed: words.exportFailed,
  })
  return (
    <TableView
      title={DESK.titles.orders}
      byEvent
      words={words}
      url={url}
      query={query}
      failed={words.failed}
      rowsIn={({ pagination }) => pagination.totalOrders}
      filter={{ label: words.state, options: STATES }}
      moreFilters={
        <>
          <Select label={words.channel} hideLabel value={channel} options={CHANNELS} onChange={setChannel} />
          <Select label={words.provider} hideLabel value={provider} options={PROVIDERS} onChange={setProvider} />
        </>
      }
      actions={
        <>
          <ButtonLink to="sell" size="sm" tone="primary" icon={<Store aria-hidden="true" />}>
            {SELL.action}
          </ButtonLink>
          <Button size="sm" icon={<Download aria-hidden="true" />} busy={save.isPending} onClick={() => save.mutate()}>
            {words.exportCsv}
          </Button>
        </>
      }
    >
      {({ orders }) => <OrdersTable orders={orders} busy={query.isFetching} />}
    </TableView>
  )
}
