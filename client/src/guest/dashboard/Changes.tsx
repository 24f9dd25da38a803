import { shortenTicketId } from '@garba/shared/messages/common'
import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { type Change, changesBetween, ownCodes, type Seen } from '../data/changes.ts'
import type { GuestData } from '../data/useGuestData.ts'
import { type Format, useFormat } from '../format.ts'
import { statusText } from '../tickets/status.ts'
import { type GuestWords, useWords } from '../words.ts'
import styles from './Dashboard.module.css'

interface ChangesProps {
  data: GuestData
  cancelled: readonly string[]
}

/** The changes since this page first had something to show, which may be data that the device stored days ago. */
export const Changes = ({ data: { tickets, event }, cancelled }: ChangesProps) => {
  const words = useWords()
  const format = useFormat()
  const [before, setBefore] = useState<Seen | null>(null)
  if (tickets.type !== 'known' || event.type !== 'known') return null
  const now = { tickets: tickets.value, event: event.value }
  if (before === null) setBefore(now)
  const changes = before === null ? [] : changesBetween(before, now, [...cancelled, ...ownCodes])
  if (changes.length === 0) return null
  return (
    <Banner title={words.changes.title} icon={<BellRing />} live="status">
      <ul className={styles.list}>
        {changes.map((change) => (
          <li key={'ticket' in change ? change.ticket._id : change.type}>{formatChange(change, words, format)}</li>
        ))}
      </ul>
    </Banner>
  )
}

function formatChange(change: Change, { changes, ticket }: GuestWords, format: Format): string {
  switch (change.type) {
    case 'date':
      return changes.date(format.day(change.event.date))
    case 'hours':
      return changes.hours(format.hours(change.event))
    case 'venue':
      return changes.venue(change.event.venue)
    case 'ticket':
      return `${ticket.name(shortenTicketId(change.ticket.ticketId))}: ${statusText(change.ticket, ticket)}`
    case 'code':
      return `${ticket.name(shortenTicketId(change.ticket.ticketId))}: ${changes.code}`
  }
}
