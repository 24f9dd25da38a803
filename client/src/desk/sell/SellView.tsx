import type { Order } from '@garba/shared/contracts/order'
import { formatRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import { CalendarX } from 'lucide-react'
import { useState } from 'react'
import { EmptyState } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { useConfig } from '../../platform/config.ts'
import type { AnswerOf } from '../../platform/http/call.ts'
import { queries } from '../../platform/queries.ts'
import { DeskFrame, RefreshButton } from '../frame/DeskFrame.tsx'
import { joinLoads, LoadFailure, useFirstLoad } from '../frame/LoadedCard.tsx'
import { EVENT_MANAGER } from '../texts/desk.ts'
import { TICKET_TYPES } from '../texts/event.ts'
import { SELL } from '../texts/sell.ts'
import { BlocksCard } from './BlocksCard.tsx'
import { CashCard } from './CashCard.tsx'
import { GuestListCard } from './GuestListCard.tsx'
import { SellForm } from './SellForm.tsx'
import styles from './SellView.module.css'
import { TicketCodes } from './TicketCodes.tsx'

const words = SELL

export default function SellView() {
  const takesMoney = useConfig(({ config }) => config?.payments.desk ?? false)
  const eventLoad = useQuery(queries.event())
  const typesLoad = useQuery(queries.deskTypes())
  const cash = useQuery({ ...queries.cash(), enabled: takesMoney })
  const blocks = useQuery(queries.blocks())
  const load = joinLoads([
    { query: eventLoad, failed: words.failed },
    { query: typesLoad, failed: TICKET_TYPES.failed },
    ...(takesMoney ? [{ query: cash, failed: words.cash.failed }] : []),
    { query: blocks, failed: words.blocks.failed },
  ])
  const hasCash = cash.data === undefined ? null : cash.data.own !== null
  const [sold, setSold] = useState<AnswerOf<'sellAtDesk'> | null>(null)
  const isFirst = useFirstLoad([eventLoad, typesLoad, cash, blocks])
  const event = eventLoad.data?.data
  const types = typesLoad.data?.offers
  return (
    <DeskFrame
      title={words.title}
      up={{ to: '../orders', label: words.orders }}
      actions={<RefreshButton query={load.query} />}
    >
      <LoadFailure {...load} />
      {isFirst ? <SkeletonCards heights={[480]} label={words.loading} /> : null}
      {!isFirst && event === null ? (
        <EmptyState
          level={2}
          title={words.noEvent}
          icon={<CalendarX />}
          action={
            <ButtonLink tone="primary" to="../event">
              {EVENT_MANAGER.create}
            </ButtonLink>
          }
        />
      ) : null}
      {!isFirst && event && types ? (
        <div className={styles.columns}>
          <Card title={words.form}>
            <SellForm event={event} types={types} takesMoney={takesMoney} hasCash={hasCash} onSold={setSold} />
          </Card>
          {takesMoney ? (
            <div className={hasCash === false ? styles.first : undefined}>
              <CashCard query={cash} />
            </div>
          ) : null}
          <BlocksCard query={blocks} types={types} takesMoney={takesMoney} hasCash={hasCash} />
          <GuestListCard eventId={event._id} />
        </div>
      ) : null}
      {sold === null ? null : sold.order.state === 'held' ? (
        <WaitsForBank order={sold.order} onClose={() => setSold(null)} />
      ) : (
        <TicketCodes tickets={sold.tickets} order={sold.order.code} along="now" onClose={() => setSold(null)} />
      )}
    </DeskFrame>
  )
}

const WaitsForBank = ({ order, onClose }: { order: Order; onClose: () => void }) => (
  <Dialog
    open
    onClose={onClose}
    title={words.held(order.code)}
    description={formatRupees(order.total)}
    footer={
      <>
        <ButtonLink tone="primary" to={`../orders/${order.code}`}>
          {words.openOrder}
        </ButtonLink>
        <Button onClick={onClose}>{words.codes.done}</Button>
      </>
    }
  >
    <div className="stack-4">
      {order.upi === undefined ? null : <Qr text={order.upi.link} label={words.payHere} className={styles.payCode} />}
      <p>{words.waitsFor}</p>
    </div>
  </Dialog>
)
