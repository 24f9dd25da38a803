import type { Ticket } from '@garba/shared/contracts/ticket'
import { formatRupees } from '@garba/shared/rules/money'
import { nameOn } from '@garba/shared/rules/ticketName'
import type { ReactNode } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { Email } from '../../kit/Email.tsx'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import { isUnused, refundOfTicket } from './status.ts'
import styles from './TicketFacts.module.css'

const Fact = ({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) => (
  <div className={wide ? styles.wide : undefined}>
    <dt className={styles.label}>{label}</dt>
    <dd className={styles.value}>{children}</dd>
  </div>
)

/** The facts of a ticket that are always visible (SPEC 2): price, purchase date, and its entry or cancellation. */
export const TicketFacts = ({ ticket }: { ticket: Ticket }) => {
  const { ticket: words } = useWords()
  const format = useFormat()
  return (
    <dl className={styles.facts}>
      <Fact label={words.price}>{formatRupees(ticket.price)}</Fact>
      <Fact label={words.purchased}>
        <time dateTime={ticket.createdAt}>{format.moment(ticket.createdAt)}</time>
      </Fact>
      <Outcome ticket={ticket} />
    </dl>
  )
}

const Outcome = ({ ticket }: { ticket: Ticket }) => {
  const { ticket: words } = useWords()
  const format = useFormat()
  const { status, entryTime, cancelledAt } = ticket
  const open = isUnused(ticket) ? words.past.unused : words.entryOpen
  if (status === 'cancelled') {
    const { tone, word } = refundOfTicket(ticket, words)
    return (
      <>
        <Fact label={words.cancelledAt}>
          {cancelledAt === null ? '-' : <time dateTime={cancelledAt}>{format.moment(cancelledAt)}</time>}
        </Fact>
        <Fact label={words.refund}>
          <StateChip state={tone}>{word}</StateChip>
        </Fact>
      </>
    )
  }
  return (
    <Fact label={status === 'used' ? words.enteredAt : words.entry}>
      {entryTime === null ? open : <time dateTime={entryTime}>{format.moment(entryTime)}</time>}
    </Fact>
  )
}

/** Everything else about a ticket, shown on request. */
export const TicketDetails = ({ id, ticket }: { id: string; ticket: Ticket }) => {
  const { ticket: words, user } = useWords()
  const format = useFormat()
  const { scannedBy, cancellationReason } = ticket
  return (
    <div id={id} className={styles.details}>
      <dl className={styles.facts}>
        <Fact label={words.holder} wide>
          {nameOn(ticket)}
        </Fact>
        <Fact label={words.updated}>
          <time dateTime={ticket.updatedAt}>{format.moment(ticket.updatedAt)}</time>
        </Fact>
        {scannedBy === null ? null : <Fact label={words.admittedBy}>{scannedBy.name}</Fact>}
        <Fact label={user.email} wide>
          <Email address={ticket.user.email} />
        </Fact>
        {cancellationReason === null ? null : (
          <Fact label={words.reason} wide>
            {cancellationReason}
          </Fact>
        )}
        <Fact label={words.fullId} wide>
          <span className={styles.full}>{ticket.ticketId}</span>
        </Fact>
      </dl>
      <p className={styles.small}>{words.one}</p>
    </div>
  )
}
