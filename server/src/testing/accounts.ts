import type { Analytics, EveningFigures } from '@garba/shared/contracts/desk'
import type { MoneyTotal } from '@garba/shared/contracts/money/cash'
import type { BooksLine } from '@garba/shared/contracts/order'
import type { EveningRegister } from '@garba/shared/contracts/register'
import { parse } from 'csv-parse/sync'
import { accountantFindings } from '../accountant/accountant.ts'
import { must } from './desk.ts'
import { tallyTables } from './passages.ts'
import type { Client, World } from './world.ts'

/** The accountant's findings in the tables. Each begins with its rule, and has the rows in brackets. */
export const wrongInTables = async ({ sql }: Pick<World, 'sql'>): Promise<string[]> =>
  (await accountantFindings(sql)).map(({ rule, finding }) => `${rule} [${finding}]`)

/** The accountant's findings in the tables, and every total, chart or export that disagrees with them. */
export const wrongInAccounts = async (world: World, reader?: Client): Promise<string[]> => [
  ...(await wrongInTables(world)),
  ...(await wrongFigures(world, reader ?? (await world.as('admin')))),
]

interface Facts {
  eventId: string
  total: number
  taken: number
  active: number
  used: number
  cancelled: number
  /** Everybody who went in, without those who came back. */
  people: number
  doubles: number
  returned: number
  refused: number
  /** Paise: the price of active and used tickets, and of those among them that no order with money has. */
  worth: number
  unpaid: number
  captured: number
  /** Money on its way back or gone, and the part that has gone. */
  back: number
  paidBack: number
  /** Money still to go back for cancelled tickets: the requested amount, or the price less 40 rupees. */
  due: number
  orders: number
  /** Orders that were paid, or that money came for. */
  withMoney: number
}

/** The same facts from the tables alone; null without an open event. */
async function factsOf({ sql }: World): Promise<Facts | null> {
  const [row] = await sql(`
    select e.id as "eventId", e.total_tickets as total, e.taken_seats as taken,
      (select count(*) from scans s where s.event_id = e.id and s.outcome not in ('refused', 'returned')
        and s.undone_at is null) as people,
      (select count(*) from scans s where s.event_id = e.id and s.outcome = 'conflict' and s.undone_at is null) as doubles,
      (select count(*) from scans s where s.event_id = e.id and s.outcome = 'returned' and s.undone_at is null) as returned,
      (select count(*) from refusals r where r.event_id = e.id) as refused,
      (select count(*) from tickets t where t.event_id = e.id and t.status = 'active') as active,
      (select count(*) from tickets t where t.event_id = e.id and t.status = 'used') as used,
      (select count(*) from tickets t where t.event_id = e.id and t.status = 'cancelled') as cancelled,
      (select coalesce(sum(t.price_paise), 0) from tickets t
        where t.event_id = e.id and t.status in ('active', 'used')) as worth,
      (select coalesce(sum(t.price_paise), 0) from tickets t left join orders o on o.id = t.order_id
        where t.event_id = e.id and t.status in ('active', 'used') and coalesce(o.provider, 'none') = 'none') as unpaid,
      (select coalesce(sum(p.amount_paise), 0) from payments p join orders o on o.id = p.order_id
        where o.event_id = e.id and p.state = 'captured') as captured,
      (select coalesce(sum(r.amount_paise), 0) from refunds r join payments p on p.id = r.payment_id
        join orders o on o.id = p.order_id
        where o.event_id = e.id and p.state = 'captured' and r.state <> 'failed') as back,
      (select coalesce(sum(r.amount_paise), 0) from refunds r join payments p on p.id = r.payment_id
        join orders o on o.id = p.order_id
        where o.event_id = e.id and p.state = 'captured' and r.state in ('done', 'manual')) as "paidBack",
      (select coalesce(sum(coalesce(
          (select sum(case when r.state in ('done', 'manual') then 0 else r.amount_paise end) from refunds r
            where r.ticket_id = t.id and r.covered_by is null
              and not exists (select 1 from refunds again where again.retry_of = r.id)),
          case when t.price_paise > 4000 then t.price_paise - 4000 else 0 end)), 0)
        from tickets t where t.event_id = e.id and t.status = 'cancelled' and coalesce(t.is_refund_done, 0) = 0) as due,
      (select count(*) from orders o where o.event_id = e.id) as orders,
      (select count(*) from orders o where o.event_id = e.id and (o.state = 'paid' or exists (
        select 1 from payments p where p.order_id = o.id and p.state = 'captured'))) as "withMoney"
    from events e where e.closed_at is null`)
  if (!row) return null
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, name === 'eventId' ? value : Number(value)]),
  ) as unknown as Facts
}

const sum = (all: readonly number[]): number => all.reduce((so, one) => so + one, 0)
const paise = (rupees: unknown): number => Math.round(Number(rupees) * 100)

/** Every figure of the desk that is not the tables' own. Amounts are paise. */
async function wrongFigures(world: World, admin: Client): Promise<string[]> {
  const facts = await factsOf(world)
  if (!facts) return []
  const { active, used, cancelled, total, taken, worth, captured, back, paidBack } = facts
  const sold = active + used
  const revenue = world.deps.settings.payments.on ? captured - back + facts.unpaid : worth

  const stats = await must(admin.request('GET', '/api/tickets/admin/stats'))
  const data = (await must(admin.request('GET', '/api/admin/analytics/dashboard'))).data as Analytics
  const totals = (await must(admin.request('GET', '/api/admin/orders/totals'))).totals as MoneyTotal[]
  const gate = (await must(admin.request('GET', '/api/admin/gate'))).data as EveningFigures
  const register = (await must(admin.request('GET', '/api/admin/gate/register'))).data as EveningRegister
  const minutes = await exported(admin, '/api/admin/gate/register/export')
  const tally = await tallyTables(world.sql, facts.eventId)
  const books = (await must(admin.request('GET', '/api/admin/books'))).books as BooksLine[]
  const due = await must(admin.request('GET', '/api/admin/tickets/management?refund=due'))
  const tickets = await exported(admin, '/api/admin/tickets/export?format=csv')
  const orders = await exported(admin, '/api/admin/orders/export?format=csv')
  const having = (status: string) => tickets.filter(({ Status }) => Status === status)

  const said: Record<string, readonly [said: number, tables: number]> = {
    'tickets of the statistics': [Number(stats.total), sold],
    'revenue of the statistics': [paise(stats.revenue), revenue],
    'tickets of the analytics': [data.tickets.total, sold],
    'revenue of the analytics': [paise(data.revenue.total), revenue],
    'tickets of the sales chart': [sum(data.salesChart.map(({ count }) => count)), sold],
    'revenue of the sales chart': [sum(data.salesChart.map((day) => paise(day.revenue))), revenue],
    'available tickets': [data.event?.availableTickets ?? 0, total - taken],
    'received in the totals by day': [sum(totals.map((day) => paise(day.captured))), captured],
    'refunded in the totals by day': [sum(totals.map((day) => paise(day.refunded))), paidBack],
    'still to refund in the totals by day': [sum(totals.map((day) => paise(day.requested))), back - paidBack],
    'orders of the totals by day': [sum(totals.map((day) => day.orders)), facts.withMoney],
    'refunds that are due': [paise(due.refundTotal), facts.due],
    'admitted at the gate': [gate.admitted, used],
    'people at the gate': [gate.people, facts.people],
    'people at all gates': [sum(gate.gates.map((one) => one.people)), facts.people],
    'sold at the gate': [gate.sold, sold],
    ...tally.compare(gate, register),
    'sold by channel in the register': [sum(register.channels.map((one) => one.sold)), sold],
    'used by channel in the register': [sum(register.channels.map((one) => one.used)), used],
    'people in by register.csv': [sum(minutes.map(({ In }) => Number(In))), facts.people + facts.returned],
    'people who came back by register.csv': [sum(minutes.map((row) => Number(row['Came back']))), facts.returned],
    'doubles of register.csv': [sum(minutes.map((row) => Number(row['Double admissions']))), facts.doubles],
    'refused by register.csv': [sum(minutes.map(({ Refused }) => Number(Refused))), facts.refused],
    'active tickets of tickets.csv': [having('active').length, active],
    'used tickets of tickets.csv': [having('used').length, used],
    'cancelled tickets of tickets.csv': [having('cancelled').length, cancelled],
    'prices of tickets.csv': [sum([...having('active'), ...having('used')].map(({ Price }) => paise(Price))), worth],
    'orders of orders.csv': [orders.length, facts.orders],
    'received in orders.csv': [sum(orders.map(({ Received }) => paise(Received))), captured],
    'refunded in orders.csv': [sum(orders.map(({ Refunded }) => paise(Refunded))), paidBack],
    'still to refund in orders.csv': [sum(orders.map((order) => paise(order['Still to refund']))), back - paidBack],
    'rules that the Books show as broken': [
      sum(books.map(({ count }) => count)),
      (await accountantFindings(world.sql)).length,
    ],
  }
  return Object.entries(said)
    .filter(([, [shown, tables]]) => shown !== tables)
    .map(([what, [shown, tables]]) => `${what} [${shown} shown, ${tables} in the tables]`)
}

async function exported(admin: Client, path: string): Promise<Record<string, string>[]> {
  const response = await admin.fetch('GET', path)
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return parse(await response.text(), { bom: true, columns: true })
}
