import type { GroupCode } from '@garba/shared/contracts/ticket'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { CircleCheck, CircleX, QrCode } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { statusText } from '../tickets/status.ts'
import { TypeName } from '../tickets/TicketParts.tsx'
import { useWords } from '../words.ts'
import { EntryPassHead, type PassTicket, Turning } from './EntryPassFrame.tsx'
import styles from './EntryPassView.module.css'

interface GroupPassProps {
  groups: readonly GroupCode[]
  tickets: readonly PassTicket[]
  awake: boolean
  onOneByOne: () => void
  onClose: () => void
}

export const GroupPass = ({ groups, tickets, awake, onOneByOne, onClose }: GroupPassProps) => {
  const { entryPass: words } = useWords()
  const [turned, setAt] = useState(0)
  // New codes may be fewer than those that they replace.
  const at = Math.min(turned, groups.length - 1)
  const group = groups[at]
  if (!group) return null
  const byId = new Map(tickets.map((ticket) => [ticket._id, ticket]))
  const members = group.ticketIds.flatMap((id) => byId.get(id) ?? [])
  return (
    <div className={styles.frame}>
      <EntryPassHead awake={awake} onClose={onClose} />
      <div className={styles.strip}>
        <div className={styles.page}>
          <div className={styles.groupSquare}>
            <Qr text={group.qrCode} label={words.qrOfGroup(members.length)} />
          </div>
          <div className={styles.whose}>
            <p className={styles.groupTitle}>{words.groupCode(members.length)}</p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard (WCAG 2.1.1) */}
            <ul className={styles.members} aria-label={words.members} tabIndex={0}>
              {alike(members).map(({ ticket, count }) => (
                <MemberLine key={ticket._id} ticket={ticket} count={count} />
              ))}
            </ul>
          </div>
        </div>
      </div>
      <footer className={styles.foot}>
        {groups.length === 1 ? null : (
          <Turning at={at} of={groups.length} go={setAt}>
            {words.of(at + 1, groups.length)}
          </Turning>
        )}
        <Button icon={<QrCode />} onClick={onOneByOne}>
          {words.oneByOne}
        </Button>
      </footer>
    </div>
  )
}

const MemberLine = ({ ticket, count }: { ticket: PassTicket; count: number }) => {
  const { ticket: words } = useWords()
  const Icon = ticket.status === 'used' ? CircleCheck : CircleX
  return (
    <li data-status={ticket.status}>
      <span>{count === 1 ? getHolderName(ticket) : `${getHolderName(ticket)} × ${count}`}</span>{' '}
      <TypeName ticket={ticket} />
      {ticket.status === 'active' ? null : (
        <span className={styles.memberState}>
          <Icon />
          {statusText(ticket, words)}
        </span>
      )}
    </li>
  )
}

function alike(tickets: readonly PassTicket[]): { ticket: PassTicket; count: number }[] {
  const lines = new Map<string, { ticket: PassTicket; count: number }>()
  for (const ticket of tickets) {
    const key = `${ticket.status} ${ticket.type?.id} ${getHolderName(ticket)}`
    lines.set(key, { ticket, count: (lines.get(key)?.count ?? 0) + 1 })
  }
  return [...lines.values()]
}
