import { last8 } from '@garba/shared/messages/common'
import { nameOn } from '@garba/shared/rules/ticketName'
import { useQueryClient } from '@tanstack/react-query'
import { SearchCheck } from 'lucide-react'
import { StateChip } from '../../kit/Badge.tsx'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Qr } from '../../kit/Qr.tsx'
import type { LostTicket } from '../../platform/store/wallet.ts'
import { removeLost } from '../data/useLost.ts'
import { useWords } from '../words.ts'
import styles from './LostTickets.module.css'

interface LostTicketsProps {
  userId: string
  lost: readonly LostTicket[]
}

/** Tickets that only this device still knows, with their codes, until the desk has decided (DECISIONS 9). */
export const LostTickets = ({ userId, lost }: LostTicketsProps) => {
  const words = useWords()
  if (lost.length === 0) return null
  return (
    <section className={styles.lost} aria-labelledby="tickets-lost">
      <h3 id="tickets-lost" className={styles.title}>
        {words.list.group(words.lost.title, lost.length)}
      </h3>
      <Banner tone="warn" live="status" icon={<SearchCheck aria-hidden="true" />}>
        {words.lost.explained}
      </Banner>
      <ul className={styles.list}>
        {lost.toSorted(refusedLast).map((one) => (
          <Row key={one.ticket._id} userId={userId} one={one} />
        ))}
      </ul>
    </section>
  )
}

const refusedLast = (one: LostTicket, other: LostTicket): number =>
  Number(one.state === 'refused') - Number(other.state === 'refused')

const TONES = { unsent: 'info', waiting: 'warn', refused: 'bad' } as const

const Row = ({ userId, one: { ticket, state, why = 'desk', note } }: { userId: string; one: LostTicket }) => {
  const words = useWords()
  const client = useQueryClient()
  const id = last8(ticket.ticketId)
  return (
    <li className={styles.row}>
      {ticket.qrCode === null || state === 'refused' ? null : (
        <Qr text={ticket.qrCode} label={words.ticket.qrOf(id)} className={styles.qr} />
      )}
      <div className={styles.facts}>
        <StateChip state={TONES[state]}>{words.lost.state[state]}</StateChip>
        <p className={styles.name}>{nameOn(ticket)}</p>
        <p className={styles.id}>{id}</p>
        <p className={styles.soft}>{ticket.eventName}</p>
        <p>{state === 'refused' ? words.lost.why[why] : words.lost.says[state]}</p>
        {note === undefined ? null : <p className={styles.note}>{words.lost.note(note)}</p>}
        {state === 'refused' ? (
          <Button
            size="sm"
            aria-label={words.lost.removeOf(id)}
            onClick={() => void removeLost(client, userId, ticket._id)}
          >
            {words.lost.remove}
          </Button>
        ) : null}
      </div>
    </li>
  )
}
