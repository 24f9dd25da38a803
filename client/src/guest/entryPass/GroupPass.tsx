import type { GroupCode, Ticket } from '@garba/shared/contracts/ticket'
import { nameOn } from '@garba/shared/rules/ticketName'
import { CircleCheck, CircleX, QrCode } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { Turning } from '../Turning.tsx'
import { statusText } from '../tickets/status.ts'
import { useWords } from '../words.ts'
import styles from './EntryPass.module.css'
import { EntryPassHead } from './EntryPassHead.tsx'

interface GroupPassProps {
  groups: readonly GroupCode[]
  tickets: readonly Ticket[]
  awake: boolean
  onOneByOne: () => void
  onClose: () => void
}

/** One code for all tickets, with the names beneath (DECISIONS 9); several for more than eight tickets. */
export const GroupPass = ({ groups, tickets, awake, onOneByOne, onClose }: GroupPassProps) => {
  const { entryPass: words } = useWords()
  const [at, setAt] = useState(0)
  const group = groups[at]
  if (!group) return null
  const byId = new Map(tickets.map((ticket) => [ticket._id, ticket]))
  const members = group.ticketIds.flatMap((id) => byId.get(id) ?? [])
  return (
    <div className={styles.frame}>
      <EntryPassHead awake={awake} onClose={onClose} />
      <div className={styles.page}>
        <div className={styles.groupSquare}>
          <Qr text={group.qrCode} label={words.qrOfGroup(members.length)} />
        </div>
        <div className={styles.whose}>
          <p className={styles.groupTitle}>{words.groupCode(members.length)}</p>
          <ul className={styles.members} aria-label={words.members}>
            {alike(members).map(({ ticket, count }) => (
              <MemberLine key={ticket._id} ticket={ticket} count={count} />
            ))}
          </ul>
        </div>
      </div>
      <footer className={styles.foot}>
        {groups.length === 1 ? null : <Turning at={at} of={groups.length} go={setAt} />}
        <Button icon={<QrCode aria-hidden="true" />} onClick={onOneByOne}>
          {words.oneByOne}
        </Button>
      </footer>
    </div>
  )
}

const MemberLine = ({ ticket, count }: { ticket: Ticket; count: number }) => {
  const { ticket: words } = useWords()
  const Icon = ticket.status === 'used' ? CircleCheck : CircleX
  return (
    <li data-status={ticket.status}>
      <span>{count === 1 ? nameOn(ticket) : `${nameOn(ticket)} × ${count}`}</span>
      {ticket.status === 'active' ? null : (
        <span className={styles.memberState}>
          <Icon aria-hidden="true" />
          {statusText(ticket, words)}
        </span>
      )}
    </li>
  )
}

/** Tickets with the same name and state as one line: most groups carry the buyer's name on every ticket. */
function alike(tickets: readonly Ticket[]): { ticket: Ticket; count: number }[] {
  const lines = new Map<string, { ticket: Ticket; count: number }>()
  for (const ticket of tickets) {
    const key = `${ticket.status} ${nameOn(ticket)}`
    lines.set(key, { ticket, count: (lines.get(key)?.count ?? 0) + 1 })
  }
  return [...lines.values()]
}
