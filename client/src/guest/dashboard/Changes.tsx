import { last8 } from '@garba/shared/messages/common'
import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { type Change, changesBetween, type Seen } from '../data/changes.ts'
import type { GuestData } from '../data/useGuestData.ts'
import { type Format, useFormat } from '../format.ts'
import { statusText } from '../tickets/status.ts'
import { type GuestWords, useWords } from '../words.ts'
import styles from './Changes.module.css'

interface ChangesProps {
  data: GuestData
  /** Tickets the guest has cancelled on this page. */
  own: readonly string[]
}

/** What is new since this page first had something to show, which may be what the device had stored days ago. */
export const Changes = ({ data: { tickets, event }, own }: ChangesProps) => {
  const words = useWords()
  const format = useFormat()
  const [before, setBefore] = useState<Seen | null>(null)
  if (tickets.type !== 'known' || event.type !== 'known') return null
  const now = { tickets: tickets.value, event: event.value }
  if (before === null) setBefore(now)
  const changes = before === null ? [] : changesBetween(before, now, own)
  if (changes.length === 0) return null
  return (
    <Banner title={words.changes.title} icon={<BellRing aria-hidden="true" />} live="status">
      <ul className={styles.list}>
        {changes.map((change) => (
          <li key={change.type === 'ticket' ? change.ticket._id : change.type}>{textOf(change, words, format)}</li>
        ))}
      </ul>
    </Banner>
  )
}

function textOf(change: Change, { changes, ticket }: GuestWords, format: Format): string {
  switch (change.type) {
    case 'date':
      return changes.date(format.day(change.event.date))
    case 'hours':
      return changes.hours(format.hours(change.event))
    case 'venue':
      return changes.venue(change.event.venue)
    case 'ticket':
      return `${ticket.name(last8(change.ticket.ticketId))}: ${statusText(change.ticket, ticket)}`
  }
}
