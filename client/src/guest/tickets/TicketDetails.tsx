import type { Ticket } from '@garba/shared/contracts/ticket'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import styles from './TicketDetails.module.css'
import facts from './TicketFacts.module.css'
import { Fact } from './TicketFacts.tsx'

/** The rest of what is known of a ticket, shown when asked for. */
export const TicketDetails = ({ id, ticket }: { id: string; ticket: Ticket }) => {
  const { ticket: words, user } = useWords()
  const format = useFormat()
  const { scannedBy, cancellationReason } = ticket
  return (
    <div id={id} className={styles.details}>
      <dl className={facts.facts}>
        <Fact label={words.holder}>{ticket.user.name}</Fact>
        <Fact label={user.email}>{ticket.user.email}</Fact>
        {scannedBy === null ? null : <Fact label={words.admittedBy}>{scannedBy.name}</Fact>}
        {cancellationReason === null ? null : (
          <Fact label={words.reason} wide>
            {cancellationReason}
          </Fact>
        )}
        <Fact label={words.updated}>
          <time dateTime={ticket.updatedAt}>{format.moment(ticket.updatedAt)}</time>
        </Fact>
        <Fact label={words.fullId} wide>
          <span className={styles.full}>{ticket.ticketId}</span>
        </Fact>
      </dl>
      <p className={styles.small}>{words.one}</p>
    </div>
  )
}
