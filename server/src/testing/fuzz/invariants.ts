import type { Client, World } from '../world.ts'
import { personOf } from './send.ts'

/** What must never be true, whatever the requests were, beside what the accountant looks for. Each query finds such rows. */
const NEVER: Readonly<Record<string, string>> = {
  'a used ticket has an entry that neither a scan nor an admin made': `
    select t.id, t.entry_scan_id, t.scanned_by_name from tickets t left join scans s on s.id = t.entry_scan_id
    where t.status = 'used' and case when t.entry_scan_id is null
      then not exists (select 1 from audit a where a.subject = t.id and a.action = 'ticket.status')
      else s.id is null or s.ticket_id <> t.id or s.outcome <> 'admitted' or s.undone_at is not null end`,
  'a ticket that is not used has an entry': `
    select id, status from tickets where status in ('active', 'cancelled') and (entry_time is not null or entry_scan_id is not null)`,
  'an entry lies before its sale': `select id, entry_time, created_at from tickets where entry_time < created_at`,
  'a scan lies before the sale of its ticket': `
    select s.id, s.at, t.created_at from scans s join tickets t on t.id = s.ticket_id
    where s.outcome <> 'refused' and s.at < t.created_at`,
  'something lies in the future': `
    select 'entry' as what, id, entry_time as at from tickets where entry_time > :now
    union all select 'ticket', id, created_at from tickets where created_at > :now or updated_at > :now
    union all select 'cancellation', id, cancelled_at from tickets where cancelled_at > :now
    union all select 'scan', id, at from scans where at > :now or received_at > :now
    union all select 'conflict', id, created_at from conflicts where created_at > :now
    union all select 'unsent scan', id, oldest_unsent from devices where oldest_unsent > :now
    union all select 'refusal', cast(id as text), at from refusals where at > :now
    union all select 'audit', cast(id as text), at from audit where at > :now`,
  'more than one event is open': `select count(*) from events where closed_at is null having count(*) > 1`,
  'what happened at a gate belongs to another event than its ticket': `
    select s.id, s.event_id, t.event_id from scans s join tickets t on t.id = s.ticket_id
    where s.outcome <> 'refused' and s.event_id <> t.event_id
    union all select c.id, c.event_id, t.event_id from conflicts c join tickets t on t.id = c.ticket_id
    where c.event_id <> t.event_id`,
  'a sale does not have its tickets': `
    select o.id, o.quantity, count(t.id) as tickets from orders o left join tickets t on t.order_id = o.id and t.replaced_at is null
    where o.state = 'paid' group by o.id having o.quantity <> count(t.id)`,
}

/** The broken invariants, each with the first rows that break it. */
export async function broken(world: World): Promise<string[]> {
  const found: string[] = []
  for (const [sentence, query] of Object.entries(NEVER)) {
    const rows = await world.sql(query.replaceAll(':now', String(world.clock.now().getTime())))
    if (rows.length > 0) found.push(`${sentence}: ${JSON.stringify(rows.slice(0, 3))}, ${rows.length} in all`)
  }
  return found
}

const PAGES = ['/', '/dashboard/guest', '/dashboard/qrchecker', '/healthz', '/api/event', '/api/config']
const DESK = [
  '/api/tickets/my-tickets',
  '/api/admin/users',
  '/api/admin/tickets/management?limit=100',
  '/api/admin/tickets/export?format=csv',
  '/api/admin/tickets/export?format=json',
  '/api/admin/analytics/dashboard',
  '/api/admin/audit',
  '/api/admin/gate',
  '/api/admin/system/health',
  '/api/scanner/roster?check=1',
]

/** An admin, whatever the requests have made of them. */
export const readerOf = (world: World): Promise<Client> =>
  personOf(world, 'admin', { uid: 'fuzz-reader', email: 'reader@fuzz.test', name: 'Reader' })

/** Pages and responses that a visitor or an admin needs and that fail. */
export async function unreadable(world: World): Promise<string[]> {
  const admin = await readerOf(world)
  const asked = [
    ...PAGES.map((path) => ({ client: world.nobody, path })),
    ...DESK.map((path) => ({ client: admin, path })),
  ]
  const found: string[] = []
  for (const { client, path } of asked) {
    const response = await client.fetch('GET', path)
    await response.arrayBuffer()
    if (response.status !== 200) found.push(`GET ${path} answers ${response.status} afterwards`)
  }
  const { body } = await world.nobody.request('GET', '/api/event')
  // The last one may have been closed.
  const open = await world.sql('select id from events where closed_at is null')
  if (!body.data && open.length > 0) found.push('GET /api/event says there is no event')
  return found
}
