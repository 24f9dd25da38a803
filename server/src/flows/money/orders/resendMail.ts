import type { DeskOrder } from '@garba/shared/contracts/order'
import { ORDER } from '@garba/shared/messages/order'
import { Refusal } from '../../../refusal.ts'
import { jobsOf } from '../../../store/jobs.ts'
import type { OrderRow } from '../../../store/orders.ts'
import type { WriteTx } from '../../../store/sql.ts'
import { ticketsOfOrder } from '../../../store/tickets.ts'
import { aboutBuyer, audited } from '../../audited.ts'
import type { Caller, Deps } from '../../deps.ts'
import { tell } from '../upkeep/tell.ts'
import { deskOrderOf, orderByCode } from './deskOrders.ts'

/** A second click, or a second person at the desk, means the same mail. */
const SAME_MS = 60_000

/**
 * Sends the mail of a paid order again, unless one still waits to be sent or the last is less than a minute old.
 * Refuses with ORDER_NOT_FOUND, or NO_MAIL where no mail can be sent.
 */
export const resendMail = (deps: Deps, { admin, code }: { admin: Caller; code: string }): Promise<DeskOrder> =>
  deps.store.write(async (tx) => {
    const order = await orderByCode(tx, code)
    await requireMail(deps, tx, order)
    const now = deps.now()
    const sent = (await jobsOf(tx, order.id)).filter(({ kind, payload }) => kind === 'mail' && payload.what === 'paid')
    const isRecent = sent.some(
      ({ endedAt, createdAt }) => endedAt === null || now.getTime() - createdAt.getTime() < SAME_MS,
    )
    if (!isRecent) {
      await tell(deps, tx, order, { what: 'paid', about: `${order.id}:${sent.length}` })
      const detail = ORDER.mailedAgain(code)
      await audited(tx, { at: now, action: 'order.mailed', actor: admin, subject: aboutBuyer(order), detail })
    }
    return deskOrderOf(deps, tx, order)
  })

async function requireMail({ mailer }: Deps, tx: WriteTx, { id, buyerEmail }: OrderRow): Promise<void> {
  if (!mailer) throw new Refusal('NO_MAIL')
  if (buyerEmail === '') throw new Refusal('NO_MAIL', { message: ORDER.noMail.address })
  if (!(await ticketsOfOrder(tx, id)).some(({ status }) => status === 'active'))
    throw new Refusal('NO_MAIL', { message: ORDER.noMail.tickets })
}
