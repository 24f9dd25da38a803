import { randomUUID } from 'node:crypto'
import type { CashSession } from '@garba/shared/contracts/money/cash'
import type { DeskOrder, Order } from '@garba/shared/contracts/order'
import type { Block, DeviceBlock, DoorSaleResult } from '@garba/shared/contracts/phones/block'
import type { Ticket } from '@garba/shared/contracts/ticket'
import type { Reply } from '../world.ts'
import { type Actor, attempt, type Evening, keepTickets, nowOf, oneOf, somebody, upTo } from './crew.ts'

const keyed = () => ({ 'Idempotency-Key': randomUUID() })
const utrOf = ({ random }: Evening): string => String(100_000_000_000 + Math.floor(random() * 899_999_999_999))

const actorOf = ({ actors }: Evening, name: string): Actor => {
  const actor = actors.find((one) => one.name === name)
  if (!actor) throw new RangeError(`There is no ${name}`)
  return actor
}

/** A guest orders, then pays, fails, pays late, claims a transfer, cancels the order, or does nothing. */
export async function placeOrder(evening: Evening): Promise<void> {
  const { world, random, orders } = evening
  const actor = somebody(evening, 'buy')
  const provider = random() < 0.6 ? 'razorpay' : 'upi'
  const reply = await attempt(evening, {
    ...{
      what: 'an order',
      actor,
      may: actor.phone ? false : null,
      method: 'POST',
      path: '/api/orders',
      headers: keyed(),
    },
    body: { quantity: upTo(evening, 4), provider },
  })
  if (reply.status !== 201) return
  const { code, total } = reply.body.order as Order
  orders.push({ code, owner: actor.name, provider, total })
  const choice = random()
  const mine = { actor, may: null, method: 'POST' } as const
  if (choice < 0.1) await attempt(evening, { ...mine, what: 'a guest letting go', path: `/api/orders/${code}/cancel` })
  else if (provider === 'upi')
    await attempt(evening, { ...mine, what: 'a UTR', path: `/api/orders/${code}/utr`, body: { utr: utrOf(evening) } })
  const link = world.double.links().findLast(({ reference }) => reference === code)
  if (link && choice > 0.2 && choice < 0.75) world.double.pay(link.id)
  if (link && choice > 0.75 && choice < 0.85) world.double.payLate(link.id, Math.floor(random() * 3_600_000))
}

/** A guest looks at their tickets, and sometimes cancels one: their own, or with a guessed id somebody else's. */
export async function cancelTicket(evening: Evening): Promise<void> {
  const actor = somebody(evening, 'buy')
  if (actor.phone) return
  const own = await attempt(evening, {
    what: 'own tickets',
    actor,
    may: true,
    method: 'GET',
    path: '/api/tickets/my-tickets',
  })
  const tickets = (own.body.tickets ?? []) as Ticket[]
  keepTickets(evening, tickets, actor.name)
  if (evening.random() < 0.6) return
  const others = evening.tickets.filter(({ id }) => !tickets.some(({ _id }) => _id === id))
  const isOwn = evening.random() < 0.7
  const id = isOwn ? oneOf(evening, tickets)?._id : oneOf(evening, others)?.id
  if (!id) return
  const { status } = await attempt(evening, {
    ...{ what: isOwn ? 'a cancellation' : "another's cancellation", actor, may: isOwn ? null : false },
    ...{ method: 'PATCH', path: `/api/tickets/cancel/${id}`, body: { reason: 'Away' } },
  })
  if (status === 200) evening.witness.changed(id, { from: 'active', to: 'cancelled' })
}

/**
 * Somebody else has a picture of a code: its owner, the desk or a stranger asks for a new one. Pictures of the old code
 * stay in circulation.
 */
export async function renewCode(evening: Evening): Promise<void> {
  const ticket = oneOf(evening, evening.tickets)
  if (!ticket) return
  const owner = evening.actors.find(({ name }) => name === ticket.owner)
  const actor = owner && evening.random() < 0.7 ? owner : somebody(evening, 'desk')
  const { status, body } = await attempt(evening, {
    ...{ what: 'a new code', actor, may: actor.phone ? false : null, method: 'POST' },
    ...{ path: `/api/tickets/${ticket.id}/new-code`, headers: keyed() },
  })
  if (status !== 200) return
  evening.witness.changed(ticket.id, { from: 'active', to: 'deleted' })
  keepTickets(evening, [body.ticket as Ticket], ticket.owner)
}

/** The desk or a phone sells for cash, card or nothing, and sometimes lets the buyers in at once. */
export async function sell(evening: Evening): Promise<void> {
  const { random, witness } = evening
  const method = oneOf(evening, ['cash', 'cash', 'card', 'upi', 'complimentary'] as const) ?? 'cash'
  const power = method === 'complimentary' ? 'complimentary' : 'sell'
  const actor = somebody(evening, power)
  const seller = actor.powers.has(power) && (actor.phone !== undefined || actor.powers.has('desk'))
  const admit = random() < 0.4
  const may = seller && (!admit || actor.powers.has('scan'))
  const body = {
    ...{ quantity: upTo(evening, 3), method, name: 'Meera', admit },
    ...(method === 'complimentary' ? { reason: 'Dhol players' } : {}),
    ...(method === 'upi' && random() < 0.5 ? { reference: utrOf(evening) } : {}),
  }
  const call = {
    what: `a sale for ${method}`,
    actor,
    may,
    method: 'POST',
    path: '/api/admin/orders',
    headers: keyed(),
    body,
  }
  const reply = await attempt(evening, call)
  if (reply.status !== 201) return
  if (random() < 0.1) await attempt(evening, call)
  const { order, tickets, scanIds } = reply.body as unknown as { order: Order; tickets: Ticket[]; scanIds?: string[] }
  evening.orders.push({ code: order.code, owner: '', provider: method, total: order.total })
  keepTickets(evening, tickets, '')
  if (random() < 0.3) await offer(evening, actor, tickets)
  for (const [index, scanId] of (scanIds ?? []).entries()) {
    const ticketId = tickets[index]?._id
    if (ticketId && scanId !== '') witness.admitted({ ticketId, scanId, outcome: 'admitted' })
  }
}

/** The seller offers the tickets to an account, and two people claim them at once. */
async function offer(evening: Evening, actor: Actor, tickets: readonly Ticket[]): Promise<void> {
  const ticketIds = tickets.map(({ _id }) => _id)
  const { status, body } = await attempt(evening, {
    ...{ what: 'an offer', actor, may: null, method: 'POST' },
    ...{ path: '/api/tickets/links', body: { ticketIds, purpose: 'offer' } },
  })
  if (status !== 201) return
  const token = (body.link as { url: string }).url.split('#')[1]
  const claim = async (guest: Actor) => {
    const call = {
      what: 'a claim',
      actor: guest,
      may: null,
      method: 'POST',
      path: '/api/wallet/claim',
      body: { token },
    }
    return (await attempt(evening, call)).status === 200 ? guest : null
  }
  const [one, other] = await Promise.all([claim(somebody(evening, 'buy')), claim(somebody(evening, 'buy'))])
  if (one && other && one.name !== other.name) evening.findings.add(`${one.name} and ${other.name} claimed one offer`)
  const owner = one ?? other
  for (const ticket of evening.tickets) if (owner && ticketIds.includes(ticket.id)) ticket.owner = owner.name
}

/** The drawer of somebody who sells is opened or counted, with a difference now and then. */
export async function drawer(evening: Evening): Promise<void> {
  const actor = somebody(evening, 'sell')
  const may = actor.powers.has('sell')
  const path = '/api/admin/cash-sessions'
  const shown = await attempt(evening, { what: 'drawers', actor, may, method: 'GET', path })
  const own = shown.body.own as CashSession | null | undefined
  if (shown.status !== 200) return
  if (!own) {
    await attempt(evening, { what: 'a drawer opened', actor, may, method: 'POST', path, body: { float: 500 } })
    return
  }
  if (evening.random() < 0.6) return
  const counted = own.expected - (evening.random() < 0.3 ? 10 : 0)
  const body = { counted: Math.max(0, counted), note: 'End of shift' }
  await attempt(evening, {
    what: 'a drawer counted',
    actor,
    may,
    method: 'POST',
    path: `${path}/${own.id}/close`,
    body,
  })
}

/** The desk confirms a transfer that it has seen, sometimes of less than was asked. */
export async function confirm(evening: Evening): Promise<void> {
  const order = oneOf(
    evening,
    evening.orders.filter(({ provider }) => provider === 'upi'),
  )
  if (!order) return
  const actor = somebody(evening, 'desk')
  const amount = evening.random() < 0.2 ? Math.max(1, order.total - 100) : order.total
  await attempt(evening, {
    ...{ what: 'a transfer confirmed', actor, may: actor.powers.has('desk'), method: 'POST' },
    ...{ path: `/api/admin/orders/${order.code}/confirm`, body: { amount, utr: utrOf(evening) } },
  })
}

/** What a change did to the tickets of an order, by the order's own answers. */
function compared({ witness }: Evening, before: Reply, after: Reply): void {
  const ticketsOf = ({ body }: Reply) => ((body.order as DeskOrder | undefined)?.tickets ?? []) as Ticket[]
  const was = new Map(ticketsOf(before).map(({ _id, status }) => [_id, status]))
  for (const { _id, status } of ticketsOf(after)) witness.changed(_id, { from: was.get(_id) ?? status, to: status })
}

export async function refundOrder(evening: Evening): Promise<void> {
  const order = oneOf(evening, evening.orders)
  if (!order) return
  const path = `/api/admin/orders/${order.code}`
  const actor = somebody(evening, 'desk')
  const before = await attempt(evening, {
    what: 'an order at the desk',
    actor: actorOf(evening, 'Asha'),
    may: true,
    method: 'GET',
    path,
  })
  const [ticket] = ((before.body.order as DeskOrder | undefined)?.tickets ?? []) as Ticket[]
  const which = ticket && evening.random() < 0.5 ? { ticketIds: [ticket._id] } : { all: true }
  const includeUsed = evening.random() < 0.5 ? { includeUsed: true } : {}
  const after = await attempt(evening, {
    ...{
      what: 'a refund',
      actor,
      may: actor.powers.has('desk'),
      method: 'POST',
      path: `${path}/refund`,
      headers: keyed(),
    },
    body: { ...which, ...includeUsed, reason: 'Rain' },
  })
  if (after.status === 200) compared(evening, before, after)
}

/** An admin sets a ticket's status, marks its refund, or deletes it. */
export async function changeTicket(evening: Evening): Promise<void> {
  const { random, witness } = evening
  const known = oneOf(evening, evening.tickets)
  if (!known) return
  const path = `/api/tickets/${known.id}`
  const before = await attempt(evening, {
    what: 'a ticket',
    actor: actorOf(evening, 'Asha'),
    may: true,
    method: 'GET',
    path,
  })
  const from = (before.body.ticket as Ticket | undefined)?.status
  if (!from) return
  const actor = somebody(evening, 'desk')
  const call = { actor, may: actor.powers.has('desk') }
  const choice = random()
  if (choice < 0.2) {
    const isRefundDone = oneOf(evening, [true, false, null] as const) ?? null
    const body = { isRefundDone, reason: 'Paid back at the desk' }
    await attempt(evening, {
      ...call,
      what: 'a refund marked',
      method: 'PATCH',
      path: `/api/admin/tickets/${known.id}/refund`,
      body: { isRefundDone: body.isRefundDone },
    })
  } else if (choice < 0.4) {
    const { status } = await attempt(evening, {
      ...call,
      what: 'a deletion',
      method: 'DELETE',
      path: `/api/admin/tickets/${known.id}`,
    })
    if (status === 200) witness.changed(known.id, { from, to: 'deleted' })
  } else {
    const to = oneOf(evening, ['active', 'used', 'cancelled'] as const) ?? 'active'
    const used = from === 'used' && random() < 0.7 ? { includeUsed: true } : {}
    const many = random() < 0.3
    const { status } = many
      ? await attempt(evening, {
          ...call,
          what: 'a change of many',
          method: 'PATCH',
          path: '/api/admin/tickets/bulk-update',
          body: { ticketIds: [known.id], status: to, ...used },
        })
      : await attempt(evening, {
          ...call,
          what: 'a change of status',
          method: 'PATCH',
          path: `/api/tickets/admin/${known.id}/status`,
          body: { status: to, ...used },
        })
    if (status === 200) witness.changed(known.id, { from, to })
  }
}

/** Paper is printed, sold as a range and taken back. People come to the gate with it, sold or not. */
export async function paper(evening: Evening): Promise<void> {
  const { papers, random, tickets, world } = evening
  const actor = somebody(evening, 'desk')
  const call = { actor, may: actor.powers.has('desk'), method: 'POST' }
  const block = oneOf(evening, papers)
  if (!block || random() < 0.2) {
    const made = await attempt(evening, {
      ...call,
      what: 'paper printed',
      path: '/api/admin/blocks',
      body: { label: 'Ravi', size: upTo(evening, 10) },
    })
    if (made.status !== 201) return
    const printed = made.body.block as Block
    papers.push(printed)
    for (const { id, code } of await world.sql(
      `select ticket_id as id, qr_code as code from block_codes where block_id = '${printed.id}'`,
    ))
      tickets.push({ id: String(id), code: String(code), owner: '' })
    return
  }
  const from = upTo(evening, block.size)
  const range = { from, to: Math.min(block.size, from + 2) }
  const path = `/api/admin/blocks/${block.id}`
  if (random() < 0.2) await attempt(evening, { ...call, what: 'paper taken back', path: `${path}/return`, body: range })
  else
    await attempt(evening, {
      ...call,
      what: 'paper sold',
      path: `${path}/activate`,
      body: { ...range, method: 'cash' },
    })
}

/** A phone draws codes, reports what it sold of them with whom it let in, or gives the rest back. */
export async function phoneSells(evening: Evening): Promise<void> {
  const { actors, random, witness, findings } = evening
  const actor = oneOf(
    evening,
    actors.filter(({ phone }) => phone),
  )
  if (!actor) return
  const may = actor.endedAt === undefined ? actor.powers.has('sell') || actor.powers.has('complimentary') : null
  const path = '/api/devices/blocks'
  const shown = await attempt(evening, {
    what: 'codes of a phone',
    actor,
    may: may === true ? null : may,
    method: 'GET',
    path,
  })
  const blocks = (shown.body.blocks ?? []) as DeviceBlock[]
  const block = oneOf(evening, blocks)
  if (!block || random() < 0.3) {
    await attempt(evening, {
      what: 'codes drawn',
      actor,
      may: may === true ? null : may,
      method: 'POST',
      path,
      body: { size: upTo(evening, 5) },
    })
    return
  }
  if (random() < 0.2) {
    await attempt(evening, {
      what: 'codes given back',
      actor,
      may: null,
      method: 'POST',
      path: `${path}/${block.id}/return`,
    })
    return
  }
  const [code] = block.codes
  if (!code) return
  const scanIds = random() < 0.5 ? { scanIds: [randomUUID()] } : {}
  const sale = {
    ...{ key: randomUUID(), ticketIds: [code.ticketId], method: 'card', ...scanIds },
    soldAt: new Date(nowOf(evening) - Math.floor(random() * 60_000)).toISOString(),
  }
  const { body } = await attempt(evening, {
    what: 'a sale by phone',
    actor,
    may: null,
    method: 'POST',
    path: '/api/devices/sales',
    body: { sales: [sale] },
  })
  const [result] = (body.results ?? []) as DoorSaleResult[]
  if (!result?.success) return
  // Its answer was lost, or the phone reports the same sale under another key.
  if (random() < 0.2) {
    const isSame = random() < 0.5
    const again = await attempt(evening, {
      ...{ what: 'a sale by phone once more', actor, may: null, method: 'POST', path: '/api/devices/sales' },
      body: { sales: [isSame ? sale : { ...sale, key: randomUUID(), scanIds: undefined }] },
    })
    const [repeated] = (again.body.results ?? []) as DoorSaleResult[]
    if (repeated?.success !== isSame)
      findings.add(`a sale reported again under ${isSame ? 'the same' : 'another'} key was answered ${repeated?.code}`)
  }
  evening.tickets.push({ id: code.ticketId, code: code.qrCode, owner: '' })
  const [ticket] = result.tickets ?? []
  const [scanId] = scanIds.scanIds ?? []
  if (ticket?.status !== 'used' || !scanId) return
  if (!actor.powers.has('scan')) findings.add(`${actor.name} let a buyer in`)
  witness.admitted({ ticketId: ticket.id, scanId, outcome: 'admitted' })
}
