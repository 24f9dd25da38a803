import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { bought, putOnSale } from '../../src/testing/scenes.ts'
import { makeWorld, type World } from '../../src/testing/world.ts'

/** All lines of SQLite's plans for a call's statements. There are no statistics, so the data does not matter. */
async function plansOf(path: string): Promise<string[]> {
  const world = await makeWorld()
  await putOnSale(world)
  const admin = await world.as('admin')
  // A list without rows is only counted.
  await bought(admin)
  const asked = listen(world)
  await must(admin.request('GET', `/api${path}`))
  return [...asked].flatMap((source) => planOf(world, source))
}

function listen(world: World): Set<string> {
  const { reader: sqlite } = world.sqliteStore()
  const asked = new Set<string>()
  const prepare = sqlite.prepare.bind(sqlite)
  sqlite.prepare = ((source: string) => {
    asked.add(source)
    return prepare(source)
  }) as typeof sqlite.prepare
  return asked
}

function planOf(world: World, source: string): string[] {
  const { reader: sqlite } = world.sqliteStore()
  if (!/^\s*(select|with)/i.test(source)) return []
  const parameters = Array.from(source.matchAll(/\?/g), () => null)
  const rows = sqlite.prepare(`explain query plan ${source}`).all(...parameters) as { parent: number; detail: string }[]
  // The rows of one page are read by their ids, and these few are sorted again.
  const isPage = / \((id|rowid)=\?\)$/.test(rows[0]?.detail ?? '')
  return rows
    .filter(({ parent, detail }) => !(isPage && parent === 0 && SORTED.test(detail)))
    .map(({ detail }) => detail)
}

const SORTED = /TEMP B-TREE FOR ORDER BY/

/** Tables with one row or a few, and lists from the query itself. */
const SMALL = /^SCAN (events|gates|span|minutes|tries|pragma_\w+)\b/

test.each([
  ['/admin/tickets/management', ['SEARCH tickets USING COVERING INDEX tickets_listed (event_id=?)']],
  ['/admin/tickets/management?page=500', ['SEARCH tickets USING COVERING INDEX tickets_listed (event_id=?)']],
  [
    '/tickets/admin/all?status=active',
    ['SEARCH tickets USING COVERING INDEX tickets_by_status (event_id=? AND status=?)'],
  ],
  [
    '/admin/tickets/management?search=patel',
    [
      'SEARCH tickets USING COVERING INDEX tickets_listed (event_id=?)',
      'SCAN users USING COVERING INDEX users_listed',
      'SEARCH orders USING COVERING INDEX orders_listed (event_id=?)',
    ],
  ],
  [
    '/admin/tickets/management?search=patel&status=used',
    ['SEARCH tickets USING INDEX tickets_by_status (event_id=? AND status=?)'],
  ],
  ['/admin/tickets/export?format=json', ['SEARCH tickets USING INDEX tickets_listed (event_id=?)']],
  ['/admin/tickets/management?sort=holder', ['SEARCH tickets USING INDEX tickets_by_name (event_id=?)']],
  ['/admin/tickets/management?sort=-holder&page=9', ['SEARCH tickets USING INDEX tickets_by_name (event_id=?)']],
  ['/admin/users?sort=user', ['SCAN users USING COVERING INDEX users_by_name']],
  ['/admin/audit?sort=-actor', ['SCAN audit USING COVERING INDEX audit_by_actor']],
  ['/admin/audit?sort=subject', ['SCAN audit USING COVERING INDEX audit_by_subject']],
  ['/admin/users', ['SCAN users USING COVERING INDEX sqlite_autoindex_users_1']],
  ['/admin/users?search=patel', ['SCAN users USING COVERING INDEX users_listed']],
  ['/admin/users?role=guest', ['SEARCH users USING COVERING INDEX users_by_role (role=?)']],
  ['/tickets/admin/stats', ['SEARCH tickets USING COVERING INDEX tickets_sold (event_id=?)']],
  [
    '/admin/analytics/dashboard',
    [
      'SEARCH tickets USING COVERING INDEX tickets_sold (event_id=?)',
      'SEARCH tickets USING COVERING INDEX tickets_sold (event_id=? AND created_at>? AND created_at<?) LEFT-JOIN',
      'SEARCH tickets EXISTS USING COVERING INDEX tickets_by_owner (user_id=? AND event_id=? AND status=?)',
    ],
  ],
  [
    '/admin/gate',
    [
      'SEARCH tickets USING COVERING INDEX tickets_by_status (event_id=? AND status=?)',
      'SEARCH scans USING COVERING INDEX scans_people (event_id=?)',
      'SEARCH scans USING INDEX scans_standing (event_id=? AND device_id>?)',
      'SEARCH conflicts USING INDEX conflicts_by_time (event_id=?)',
      'SCAN devices USING INDEX devices_by_last_seen',
      'SEARCH refusals USING INDEX refusals_by_time (event_id=?)',
      'SEARCH refusals USING COVERING INDEX refusals_by_code (event_id=?)',
      'SEARCH scans USING INDEX scans_by_hand (received_at>?)',
      'SEARCH scans USING INDEX scans_back_dated (received_at>?)',
      'SEARCH audit USING INDEX audit_by_action (action=?)',
      'SEARCH refusals USING INDEX refusals_by_time (event_id=? AND at>?)',
      'SEARCH conflicts USING INDEX conflicts_by_time (event_id=? AND created_at>?)',
    ],
  ],
  ['/admin/audit?action=ticket.sold', ['SEARCH audit USING COVERING INDEX audit_by_action (action=?)']],
])('%s uses its indexes and sorts nothing', async (path, wanted) => {
  const plan = await plansOf(path)
  expect(plan).toEqual(expect.arrayContaining(wanted))
  const bare = plan.filter((line) => /^SCAN \w+$/.test(line) && !SMALL.test(line))
  expect(bare).toEqual([])
  // Only the few rows of a response may be sorted or grouped, never the tickets.
  expect(plan.filter((line) => SORTED.test(line) && !path.startsWith('/admin/gate'))).toEqual([])
})

test.each([
  '/admin/tickets/management?sort=price&page=9',
  '/admin/tickets/management?sort=-entry',
  '/admin/orders?sort=-amount',
  '/admin/orders?sort=buyer&page=9',
])('%s sorts ids from an index, and reads the rows of its page alone', async (path) => {
  const table = path.includes('/orders') ? 'orders' : 'tickets'
  expect(await plansOf(path)).toContain(`SEARCH ${table} USING COVERING INDEX ${table}_listed (event_id=?)`)
})

test('what is due back is added up without a search of all refunds for each of them', async () => {
  const plan = (await plansOf('/admin/tickets/management?refund=due')).join('; ')
  expect(plan).toContain('refunds_by_ticket')
  expect(plan).not.toMatch(/CORRELATED SCALAR SUBQUERY \d+; SCAN/)
})

test('the audit trail is read in the order it was written', async () => {
  for (const query of ['', '?search=radha', '?page=40'])
    expect((await plansOf(`/admin/audit${query}`)).filter((line) => line.includes('B-TREE'))).toEqual([])
})

test("a phone's missing changes are read by revision, not among all tickets", async () => {
  const plan = await plansOf('/scanner/roster?since=1')
  expect(plan).toContain('SEARCH tickets USING INDEX tickets_by_revision (revision>?)')
})
