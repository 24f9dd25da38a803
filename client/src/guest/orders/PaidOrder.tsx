import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { WholeOrder } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useOnline } from '../../platform/net/connectivity.ts'
import { KEYS } from '../../platform/queries.ts'
import { useNow } from '../../platform/screen/now.ts'
import type { Known } from '../data/useGuestData.ts'
import { eventDayOf } from '../event/eventDay.ts'
import { useFormat } from '../format.ts'
import { JustBought } from '../purchase/JustBought.tsx'
import { rememberStorage } from '../purchase/rememberStorage.ts'
import { PrintSheet, usePrint } from '../tickets/PrintSheet.tsx'
import { TicketCard } from '../tickets/TicketCard.tsx'
import { TicketStrip } from '../tickets/TicketStrip.tsx'
import styles from './OrderPage.module.css'
import { PrintedReceipt, Receipt } from './Receipt.tsx'
import { Refunds } from './Refunds.tsx'
import { useOrderWords } from './words.ts'

const CancelDialog = lazy(async () => ({ default: (await import('../cancel/CancelDialog.tsx')).CancelDialog }))

const MINUTE_MS = 60_000
const NO_EVENT: Known<GarbaEvent | null> = { type: 'known', value: null, savedAt: 0 }

interface PaidOrderProps {
  order: WholeOrder
  userId: string
  event: Known<GarbaEvent | null>
  /** It has just been paid: the lamp lights, and the tickets slide out. */
  isNew: boolean
  onSeen: () => void
}

/** A paid order: its tickets, its receipt, and what goes back of its money. */
export const PaidOrder = ({ order, userId, event, isNew, onSeen }: PaidOrderProps) => {
  const { receipt } = useOrderWords()
  const client = useQueryClient()
  const online = useOnline()
  const now = useNow(MINUTE_MS)
  const { timeZone } = useFormat()
  const { print, only } = usePrint()
  const [leaving, setLeaving] = useState<{ ticket: Ticket; open: boolean } | null>(null)
  const night = event.type === 'known' ? event.value : null
  const active = order.tickets.filter(({ status }) => status === 'active')
  useEffect(() => {
    if (isNew) rememberStorage()
  }, [isNew])
  return (
    <>
      {isNew && night !== null ? (
        <JustBought count={order.quantity} tickets={active} event={night} onDone={onSeen} />
      ) : null}
      {order.tickets.length === 0 ? null : (
        <section className={styles.tickets} aria-labelledby="tickets">
          <h2 id="tickets" className={styles.heading}>
            {receipt.tickets}
          </h2>
          <TicketStrip tickets={order.tickets} fresh={isNew ? order.tickets.length : 0}>
            {(ticket) => (
              <TicketCard
                ticket={ticket}
                event={ticket.isPast ? NO_EVENT : event}
                eventDay={eventDayOf(night, timeZone, now)}
                online={online}
                level={3}
                onCancel={(one) => setLeaving({ ticket: one, open: true })}
                onPrint={print}
              />
            )}
          </TicketStrip>
        </section>
      )}
      <div className={styles.papers}>
        <Receipt order={order} />
        <Refunds order={order} />
      </div>
      {only === null ? <PrintedReceipt order={order} /> : <PrintSheet tickets={[only]} event={night} />}
      <Suspense fallback={null}>
        {leaving === null || night === null ? null : (
          <CancelDialog
            key={leaving.ticket._id}
            open={leaving.open}
            ticket={order.tickets.find(({ _id }) => _id === leaving.ticket._id) ?? leaving.ticket}
            event={night}
            userId={userId}
            onClose={() => setLeaving({ ...leaving, open: false })}
            onCancelled={() => void client.invalidateQueries({ queryKey: [...KEYS.myOrders, userId] })}
          />
        )}
      </Suspense>
    </>
  )
}
