import { MINUTE_MS } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { WholeOrder } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useOnline } from '../../platform/net/connectivity.ts'
import { KEYS } from '../../platform/queries.ts'
import { useServerNow } from '../../platform/screen/now.ts'
import type { LoadState } from '../data/useGuestData.ts'
import { findEventDayKind, useFormat } from '../format.ts'
import { JustBought } from '../purchase/JustBought.tsx'
import { PrintSheet, usePrint } from '../tickets/PrintSheet.tsx'
import { TicketCard } from '../tickets/TicketCard.tsx'
import { TicketSheet } from '../tickets/TicketSheet.tsx'
import styles from './OrderPage.module.css'
import { PrintedReceipt, Receipt, usePrintReceipt } from './Receipt.tsx'
import { Refunds } from './Refunds.tsx'
import { useOrderWords } from './words.ts'

const CancelDialog = lazy(async () => ({ default: (await import('../cancel/CancelDialog.tsx')).CancelDialog }))

const NOBODY: ReadonlySet<string> = new Set()
const NO_EVENT: LoadState<GarbaEvent | null> = { type: 'known', value: null, savedAt: 0 }

interface PaidOrderProps {
  order: WholeOrder
  userId: string
  event: LoadState<GarbaEvent | null>
  isNew: boolean
  isKept: boolean
  onSeen: () => void
}

export const PaidOrder = ({ order, userId, event, isNew, isKept, onSeen }: PaidOrderProps) => {
  const { receipt } = useOrderWords()
  const client = useQueryClient()
  const online = useOnline()
  const now = useServerNow(MINUTE_MS)
  const { timeZone } = useFormat()
  const { print, only } = usePrint()
  const { link, printReceipt, preparing } = usePrintReceipt(order, online)
  const [leaving, setLeaving] = useState<{ ticket: Ticket; open: boolean } | null>(null)
  const night = event.type === 'known' ? event.value : null
  const [first] = order.tickets
  const active = order.tickets.filter(({ status }) => status === 'active')
  const common = {
    event: first?.isPast ? NO_EVENT : event,
    eventDay: first?.isPast ? null : findEventDayKind(night, timeZone, now),
    over: night !== null && now >= Date.parse(night.endsAt),
    online,
    level: 3,
    onCancel: (ticket: Ticket) => setLeaving({ ticket, open: true }),
    onPrint: print,
  } as const
  return (
    <>
      {isNew && night !== null && active.length > 0 && !common.over ? (
        <JustBought
          count={order.quantity}
          tickets={active}
          event={night}
          userId={userId}
          isKept={isKept}
          isTheDay={common.eventDay !== null}
          onDone={onSeen}
        />
      ) : null}
      {first === undefined ? null : (
        <section className={styles.tickets} aria-labelledby="tickets">
          <h2 id="tickets" className={styles.heading}>
            {receipt.tickets}
          </h2>
          {order.tickets.length === 1 ? (
            <div className={styles.card}>
              <TicketCard {...common} ticket={first} justEntered={false} />
            </div>
          ) : (
            <TicketSheet
              {...common}
              tickets={order.tickets}
              hasHead
              fresh={isNew ? order.tickets.map(({ _id }) => _id) : []}
              entered={NOBODY}
            />
          )}
        </section>
      )}
      <div className={styles.papers}>
        <Receipt order={order} preparing={preparing} onPrint={printReceipt} />
        <Refunds order={order} />
      </div>
      {only === null ? <PrintedReceipt order={order} link={link} /> : <PrintSheet tickets={[only]} event={night} />}
      <Suspense fallback={null}>
        {leaving === null || night === null ? null : (
          <CancelDialog
            key={leaving.ticket._id}
            open={leaving.open}
            ticket={order.tickets.find(({ _id }) => _id === leaving.ticket._id) ?? leaving.ticket}
            all={false}
            others={active.filter(({ _id }) => _id !== leaving.ticket._id)}
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
