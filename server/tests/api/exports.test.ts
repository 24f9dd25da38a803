import type { Ticket } from '@garba/shared/contracts/ticket'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { testOnSqlite } from '../../src/testing/database.ts'
import { buyer, must } from '../../src/testing/desk.ts'
import { bought, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld } from '../../src/testing/world.ts'

const BOM = '\ufeff'

async function textOf(client: Client, path: string): Promise<{ text: string; headers: Headers }> {
  const response = await client.fetch('GET', path)
  // response.text() would drop the byte order mark.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
  return { text, headers: response.headers }
}

const NAMES = [
  '=HYPERLINK("http://evil")',
  '+91 98250',
  '-1',
  '@SUM(A1)',
  '\tTab',
  'Ana, "the" Shah',
  'ધ્રુવી શાહ',
  'Zoë',
]

testOnSqlite('the CSV starts with a byte order mark, quotes as in RFC 4180 and neutralises formulas', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const admin = await world.as('admin')
  for (const [i, name] of NAMES.entries()) await buyer(world, { name, email: `${i}@example.org` })
  const { text, headers } = await textOf(admin, '/api/admin/tickets/export?format=csv')
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename="tickets.csv"')
  expect(text.startsWith(`${BOM}Ticket ID,Name,Email,`)).toBe(true)
  expect(text.split('\r\n')).toHaveLength(NAMES.length + 2)
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true, record_delimiter: '\r\n' })
  expect(rows.map((row) => row.Name)).toEqual(
    ['\'=HYPERLINK("http://evil")', "'+91 98250", "'-1", "'@SUM(A1)", "'\tTab", ...NAMES.slice(5)].reverse(),
  )
  expect(rows[0]).toMatchObject({ Price: '299', Status: 'active', Event: 'Garba Rass 2025', Refund: '' })
})

testOnSqlite('a multi-line reason stays in one cell, and a cell that starts with CR is neutralised', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const admin = await world.as('admin')
  const { client, tickets } = await buyer(world, { name: '\rCR' })
  const reason = 'First line\nsecond\rthird "quoted"'
  await must(client.request('PATCH', `/api/tickets/cancel/${tickets[0]?.id}`, { reason }))
  const { text } = await textOf(admin, '/api/admin/tickets/export')
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true, record_delimiter: '\r\n' })
  expect(rows).toMatchObject([{ Name: "'\rCR", 'Cancellation reason': reason, Refund: 'Pending', Status: 'cancelled' }])
})

const RUNNING = [
  'Mina;=HYPERLINK("http://evil")',
  'Mina;"=1+1"',
  'Mina; +1',
  ' =1+1',
  '"=1+1"',
  '＝1+1',
  'Mina|@SUM(A1)',
  'Mina\t-1',
]
const REASONS = ['Ill\n=1+1', 'Ill\r\n"@SUM(A1)', 'Ill;\n;-1+1', '=1+1;=2+2', 'So, "it" is; I am - sorry']

testOnSqlite(
  'nothing runs in a spreadsheet that splits at semicolons, tabs or bars, where commas and quotes mean nothing',
  async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const admin = await world.as('admin')
    for (const [i, name] of RUNNING.entries()) {
      const { client, tickets } = await buyer(world, { name, email: `${i}@example.org` })
      const reason = REASONS[i % REASONS.length]
      await must(client.request('PATCH', `/api/tickets/cancel/${tickets[0]?.id}`, { reason }))
    }
    const { text } = await textOf(admin, '/api/admin/tickets/export')
    for (const delimiter of [',', ';', '\t', '|']) {
      const loose = { bom: true, delimiter, relax_quotes: true, relax_column_count: true, ltrim: true }
      for (const cell of (parse(text, loose) as string[][]).flat()) expect(cell).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/u)
      for (const line of text.split(/\r\n|\r|\n/))
        for (const cell of line.split(delimiter))
          if (delimiter !== ',') expect(cell).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/u)
    }
    const rows: Record<string, string>[] = parse(text, { bom: true, columns: true, record_delimiter: '\r\n' })
    expect(rows.map((row) => row['Cancellation reason'])).toContain('So, "it" is; I am - sorry')
  },
)

testOnSqlite(
  'the CSV says how many people were let in on each ticket, both of a double admission included',
  async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const { tickets } = await buyer(world, { quantity: 2 })
    const checker = await world.as('qrchecker')
    const scannedAt = world.clock.now().toISOString()
    for (const deviceId of ['d1', 'd2']) {
      const body = {
        qrCode: tickets[0]?.qrCode,
        scanId: crypto.randomUUID(),
        scannedAt,
        deviceId,
        admittedOffline: true,
      }
      await must(checker.request('POST', '/api/tickets/mark-used', body))
    }
    const { text } = await textOf(await world.as('admin'), '/api/admin/tickets/export')
    const rows: Record<string, string>[] = parse(text, { bom: true, columns: true, record_delimiter: '\r\n' })
    const people = (id: string | undefined) => rows.find((row) => row['Ticket ID'] === id)?.['People let in']
    expect([people(tickets[0]?.id), people(tickets[1]?.id)]).toEqual(['2', '0'])
    const [order] = parse((await textOf(await world.as('admin'), '/api/admin/orders/export')).text, {
      bom: true,
      columns: true,
      record_delimiter: '\r\n',
    }) as Record<string, string>[]
    expect(order?.Order).toMatch(/\S/)
    expect(rows).toMatchObject(Array(2).fill({ Order: order?.Order, Channel: 'web', Gate: '' }))
  },
)

testOnSqlite(
  'a used ticket that was refunded keeps its entry, and every cancelled one its refund’s amount',
  async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const admin = await world.as('admin')
    const { client, tickets } = await buyer(world, { quantity: 3 })
    const [used, cancelled, old] = tickets
    const scan = (id: string | undefined) => tickets.find((ticket) => ticket.id === id)?.qrCode
    const checker = await world.as('qrchecker')
    await must(
      checker.request('POST', '/api/tickets/mark-used', {
        qrCode: scan(used?.id),
        scanId: crypto.randomUUID(),
        gate: 'Gate A',
      }),
    )
    await must(
      admin.request('PATCH', `/api/tickets/admin/${used?.id}/status`, { status: 'cancelled', includeUsed: true }),
    )
    await must(client.request('PATCH', `/api/tickets/cancel/${cancelled?.id}`, { reason: 'Ill' }))
    await must(client.request('POST', `/api/tickets/${old?.id}/new-code`))
    const late = { qrCode: scan(old?.id), scanId: crypto.randomUUID(), admittedOffline: true }
    await must(checker.request('POST', '/api/tickets/mark-used', late))
    const { text } = await textOf(admin, '/api/admin/tickets/export')
    const rows: Record<string, string>[] = parse(text, { bom: true, columns: true, record_delimiter: '\r\n' })
    const row = (id: string | undefined) => rows.find((one) => one['Ticket ID'] === id)
    const entry = { Entry: expect.stringMatching(/^2025-/), 'Scanned by': 'Chetan Checker', 'People let in': '1' }
    expect(row(used?.id)).toMatchObject({ ...entry, Status: 'cancelled', Gate: 'Gate A', 'Refund amount': '259' })
    expect(row(cancelled?.id)).toMatchObject({ Entry: '', 'People let in': '0', Price: '299', 'Refund amount': '259' })
    expect(rows.find(({ Status }) => Status === 'active')).toMatchObject({ ...entry, 'Refund amount': '' })
    // The buyer sees it beside the price, too.
    const { tickets: own } = await must(client.request('GET', '/api/tickets/my-tickets'))
    expect((own as Ticket[]).map(({ price, refundAmount }) => [price, refundAmount])).toEqual(
      expect.arrayContaining([
        [299, 259],
        [299, 259],
        [299, undefined],
      ]),
    )
  },
)

testOnSqlite('the JSON holds every ticket, not just one page', async () => {
  const world = await makeWorld({ settings: { MAX_PER_ORDER: '150' } })
  await putOnSale(world, { totalTickets: 500 })
  const admin = await world.as('admin')
  await buyer(world, { quantity: 150 })
  const response = await admin.fetch('GET', '/api/admin/tickets/export?format=json')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="tickets.json"')
  const body = await response.json()
  expect(body).toMatchObject({ success: true })
  expect(body.tickets).toHaveLength(150)
  const list = await must(admin.request('GET', '/api/admin/tickets/management?limit=1'))
  expect(body.tickets[0]).toEqual((list.tickets as unknown[])[0])
  expect((await admin.request('GET', '/api/admin/tickets/export?format=xml')).status).toBe(400)
})

testOnSqlite('the export without tickets is only a heading', async () => {
  const admin = await (await makeWorld()).as('admin')
  const { text } = await textOf(admin, '/api/admin/tickets/export')
  expect(text.trimEnd().split('\r\n')).toHaveLength(1)
})

test('the audit trail can be searched, filtered, paged and exported as CSV', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const admin = await world.as('admin')
  const { client, tickets } = await buyer(world, { name: '=Zoë', email: 'zoe@example.org' })
  const id = tickets[0]?.id ?? ''
  await must(admin.request('PATCH', `/api/tickets/admin/${id}/status`, { status: 'used' }))
  await must(admin.request('DELETE', `/api/admin/users/${client.user?.id}`))
  const trail = async (query: string) => must(admin.request('GET', `/api/admin/audit?${query}`))
  expect(await trail('limit=2&page=2')).toMatchObject({
    rows: [{ action: 'ticket.sold' }, { action: 'event.created' }],
    pagination: { current: 2, total: 2, count: 2, totalRows: 4 },
  })
  expect(await trail('search=zoe&action=user.deleted')).toMatchObject({
    rows: [{ actorName: 'Asha Admin', subjectName: '=Zoë (zoe@example.org)', detail: 'Role Guest; tickets kept: 1' }],
    pagination: { totalRows: 1 },
  })
  expect(await trail(`search=${id}`)).toMatchObject({ rows: [{ action: 'ticket.status', subject: id }] })
  expect((await admin.request('GET', '/api/admin/audit?action=nonsense')).status).toBe(400)
  const { text, headers } = await textOf(admin, '/api/admin/audit/export?search=zoe')
  expect(headers.get('content-disposition')).toBe('attachment; filename="audit.csv"')
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true, record_delimiter: '\r\n' })
  expect(rows).toMatchObject([
    { Action: 'user.deleted', Subject: "'=Zoë (zoe@example.org)", Detail: 'Role Guest; tickets kept: 1' },
    { Action: 'ticket.status', By: 'Asha Admin' },
    { Action: 'ticket.sold', By: "'=Zoë" },
  ])
})

test('an export holds the tickets that the list shows: by status, refund and search', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const admin = await world.as('admin')
  const { client, tickets } = await buyer(world, { name: 'Meera', quantity: 2 })
  await buyer(world, { name: 'Radha', email: 'radha@example.org' })
  await must(client.request('PATCH', `/api/tickets/cancel/${tickets[0]?.id}`, { reason: 'Ill' }))
  const exported = async (query: string) => {
    const { text } = await textOf(admin, `/api/admin/tickets/export?format=csv&${query}`)
    const rows: Record<string, string>[] = parse(text, { bom: true, columns: true, record_delimiter: '\r\n' })
    return rows.map((row) => `${row.Name} ${row.Status}`)
  }
  expect(await exported('')).toHaveLength(3)
  expect(await exported('status=active')).toEqual(['Radha active', 'Meera active'])
  expect(await exported('search=meera')).toHaveLength(2)
  expect(await exported('refund=due')).toEqual(['Meera cancelled'])
  expect(await exported('refund=done')).toEqual([])
})

testOnSqlite('the CSV begins before its tickets are read, and holds one that gets a new code meanwhile', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const admin = await world.as('admin')
  const [kept, deleted, replaced] = await bought(admin, 3)
  const response = await admin.fetch('GET', '/api/admin/tickets/export?format=csv')
  await must(admin.request('DELETE', `/api/admin/tickets/${deleted?.id}`))
  const renewed = await must(admin.request('POST', `/api/tickets/${replaced?.id}/new-code`))
  const rows: Record<string, string>[] = parse(await response.text(), { columns: true, record_delimiter: '\r\n' })
  expect(rows.map((row) => row['Ticket ID']).sort()).toEqual([kept.id, (renewed.ticket as Ticket).id].sort())
})
