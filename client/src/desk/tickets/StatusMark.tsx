import type { TicketStatus } from '@garba/shared/contracts/names'
import { DESK } from '@garba/shared/messages/desk'
import { CircleCheck, CircleX, Ticket } from 'lucide-react'
import { cx } from '../../kit/cx.ts'
import styles from './Tickets.module.css'

const ICON = { active: Ticket, used: CircleCheck, cancelled: CircleX } as const

/** A ticket's status as icon, word and colour (LOOK: never colour alone). */
export const StatusMark = ({ status }: { status: TicketStatus }) => {
  const Icon = ICON[status]
  return (
    <span className={cx(styles.mark, styles[status])}>
      <Icon aria-hidden="true" size={16} />
      {DESK.tickets.statuses[status]}
    </span>
  )
}
