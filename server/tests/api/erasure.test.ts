import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StatementLine } from '@garba/shared/contracts/money/statement'
import type { Block, DeviceBlock } from '@garba/shared/contracts/phones/block'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { describe, expect, test } from 'vitest'
import { readBooks } from '../../src/flows/money/books.ts'
import { runJobs } from '../../src/flows/money/upkeep/jobs.ts'
import { onPostgres, testOnSqlite } from '../../src/testing/database.ts'
import { admitAtGate, must } from '../../src/testing/desk.ts'
import { everyRow } from '../../src/testing/everyRow.ts'
import { lose } from '../../src/testing/losing.ts'
import { linkOf, ordered, orderOf, payingWorld, place, settleMoney } from '../../src/testing/money.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { fieldsForPeople, MARKED, NOTE, noting, REASON, TRACES } from '../../src/testing/planting.ts'
import { codeOf } from '../../src/testing/scenes.ts'
import { payloadOf, sign } from '../../src/testing/tokens.ts'
import type { Client, World } from '../../src/testing/world.ts'

const CREW =
  'names the crew, a phone or a gate: who worked at the door stays on record until the event is made anonymous'
const EVENT = 'is about the event, for everybody'
const CODE = 'is a code or an id'

/** Fields that are not about a buyer. A new field of any call is in neither list until somebody has thought about it. */
const NOT_ABOUT_BUYERS: readonly (readonly [RegExp, string])[] = [
  [/\.search$/, 'is asked, not kept'],
  [/^mailLink\.email$/, 'goes to the identity provider and is not kept'],
  [/^(createEvent|updateEvent|setEventState)\./, EVENT],
  [/\.(checkerName|deviceName|gate)$/, CREW],
  [/^tickOffCards\.seller$/, CREW],
  [/^(createDevice|changeDevice|changeShift|changeGate|saveGates|pairDevice)\./, CREW],
  [
    /\.(qrCode|deviceId|key|appVersion)$|^offerLost\.codes$|^(openWallet|claimWallet)\.(token|codes)$|^confirmStatement\.lines$/,
    CODE,
  ],
  [/^read(Statement|GuestList)\.csv$/, 'is read and not kept'],
  [/^mailLink\./, 'is asked for a link and not kept: its limit counts a hash'],
  [/^(event|buyTickets|placeOrder|makePromoCode)\.code$/, 'is a code for everybody, and what guests type is not kept'],
  [/^(un)?subscribePush\.endpoint$/, 'is removed with the account'],
  [/^logError\./, 'is written to the log without emails, and not to the database'],
]

const keyed = () => ({ 'Idempotency-Key': randomUUID() })
/** What somebody may type where the number of a card's slip belongs. */
const SLIP = `${MARKED.name} 4071`
const AFTERWARDS = '2025-09-22T17:00:00Z'

/** A world in which one person was written into everything that takes a name, an email, a phone number or a text. */
async function planted() {
  const settings = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Garba <tickets@example.org>' }
  const world = await payingWorld({ settings })
  const fields = new Set<string>()
  const admin = noting(await world.as('admin'), fields)
  await must(admin.request('POST', '/api/admin/cash-sessions', { float: 500 }))
  const scene = { world, fields, admin }
  await buyOnline(scene, await signedIn(scene))
  await leaveAndComeBack(scene)
  await buyAtDesk(scene)
  const onPaper = await buyOnPaper(scene)
  await buyAtDoor(scene)
  await loseTickets(scene)
  await goIn(scene)
  await importBank(scene)
  await writeElsewhere(scene)
  return { ...scene, onPaper }
}
interface Scene {
  world: World
  fields: Set<string>
  admin: Client
}

async function signedIn({ world, fields }: Scene): Promise<Client> {
  const payload = payloadOf(MARKED, world.clock.now(), { picture: MARKED.photo })
  await must(world.nobody.request('POST', '/api/auth/google-signin', { idToken: await sign(payload) }))
  fields.add('signIn.idToken')
  const guest = noting(await world.as('guest', MARKED), fields)
  await must(guest.request('PUT', '/api/auth/profile', { displayName: MARKED.name, photoURL: MARKED.photo }))
  return guest
}

/** One order by link, with a failed attempt, and one by UPI; of both, tickets are cancelled and refunded. */
async function buyOnline({ world, admin }: Scene, guest: Client): Promise<void> {
  const { code } = await ordered(guest, 3)
  world.double.fail(linkOf(world, code))
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const [named, cancelled, back] = (await orderOf(guest, code)).tickets
  await must(guest.request('PATCH', `/api/tickets/${named?.id}/name`, { name: `${MARKED.name} junior` }))
  const link = { ticketIds: [named?.id], purpose: 'share', from: MARKED.name }
  await must(guest.request('POST', '/api/tickets/links', link))
  await must(guest.request('PATCH', `/api/tickets/cancel/${cancelled?.id}`, { reason: REASON }))
  await settleMoney(world)
  const refund = { ticketIds: [back?.id], reason: REASON }
  await must(admin.request('POST', `/api/admin/orders/${code}/refund`, refund, keyed()))
  await settleMoney(world)

  const placed = await must(place(guest, { quantity: 1, provider: 'upi' }))
  const { code: byUpi, total } = placed.order as { code: string; total: number }
  await must(guest.request('POST', `/api/orders/${byUpi}/utr`, { utr: '512345678901' }))
  await must(
    admin.request('POST', `/api/admin/orders/${byUpi}/confirm`, {
      utr: '512345678901',
      note: REASON,
      amount: total,
    }),
  )
  const [ticket] = (await orderOf(guest, byUpi)).tickets
  await must(guest.request('PATCH', `/api/tickets/cancel/${ticket?.id}`, { reason: REASON }))
  const done = { ticketIds: [ticket?.id], isRefundDone: true, reason: REASON }
  await must(admin.request('PATCH', '/api/admin/tickets/bulk-refund', done))
}

/** The account is deleted; the same person signs in again, gets the tickets back, and buys one more. */
async function leaveAndComeBack(scene: Scene): Promise<void> {
  const { world, admin } = scene
  const before = await world.as('guest', MARKED)
  await must(admin.request('DELETE', `/api/admin/users/${before.user?.id}`))
  const guest = await signedIn(scene)
  const { code } = await ordered(guest)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
}

/** With the email, and later with the phone number alone. */
async function buyAtDesk({ admin }: Scene): Promise<void> {
  const sale = { quantity: 1, method: 'cash', name: MARKED.name, phone: MARKED.phone }
  await must(admin.request('POST', '/api/admin/orders', { ...sale, email: MARKED.email }, keyed()))
  const given = { ...sale, method: 'complimentary', reason: REASON, phone: '090000-12345' }
  await must(admin.request('POST', '/api/admin/orders', given, keyed()))
  const typo = { quantity: 1, method: 'cash', name: 'Somebody', email: 'typo@example.org' }
  const { order } = await must(admin.request('POST', '/api/admin/orders', typo, keyed()))
  const { name, phone, email } = { ...sale, email: MARKED.email }
  const path = `/api/admin/orders/${(order as { code: string }).code}/buyer`
  await must(admin.request('PATCH', path, { name, phone, email, reason: REASON }))
  const byCard = { ...sale, method: 'card', reference: SLIP }
  await must(admin.request('POST', '/api/admin/orders', byCard, keyed()))
  const csv = `Name,Phone,Email\n${MARKED.name},${MARKED.phone},${MARKED.email}`
  await must(admin.request('POST', '/api/admin/guest-list', { csv, reason: REASON }, keyed()))
}

/** The code of an order that has only the buyer's name. */
async function buyOnPaper({ admin }: Scene): Promise<string> {
  await must(admin.request('POST', '/api/admin/codes', { code: 'TEN', kind: 'percent', value: 10, note: NOTE }))
  const made = await must(admin.request('POST', '/api/admin/blocks', { label: MARKED.name, size: 4 }))
  const { id } = made.block as Block
  const range = { from: 1, to: 2, method: 'card', reason: REASON, reference: SLIP }
  const sold = await must(admin.request('POST', `/api/admin/blocks/${id}/activate`, { ...range, name: MARKED.name }))
  return (sold.order as { code: string }).code
}

async function buyAtDoor({ world, fields, admin }: Scene): Promise<void> {
  const { id, client } = await pairedPhone(world)
  const phone = noting(await client(), fields)
  const { block } = await must(phone.request('POST', '/api/devices/blocks', { size: 2 }))
  const { codes } = block as DeviceBlock
  const sale = {
    key: randomUUID(),
    soldAt: world.clock.now().toISOString(),
    method: 'card',
    reason: REASON,
    reference: SLIP,
  }
  const whom = { name: MARKED.name, phone: '9000012345' }
  await must(
    phone.request('POST', '/api/devices/sales', { sales: [{ ...sale, ...whom, ticketIds: [codes[0]?.ticketId] }] }),
  )
  const { sales } = await must(admin.request('GET', `/api/admin/devices/${id}/sales`))
  const orders = (sales as { order: string }[]).map(({ order }) => order)
  await must(admin.request('POST', `/api/admin/devices/${id}/sales/cancel`, { orders, reason: REASON }))
}

/** The server loses two tickets; the desk confirms one and refuses the other. */
async function loseTickets({ world, admin }: Scene): Promise<void> {
  const guest = await world.as('guest', MARKED)
  const { code } = await ordered(guest, 2)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  const { tickets } = await orderOf(guest, code)
  await lose(world, tickets)
  await must(guest.request('POST', '/api/tickets/lost', { codes: tickets.map(codeOf) }))
  const { lost } = (await must(admin.request('GET', '/api/admin/lost-tickets'))) as unknown as {
    lost: { id: string }[]
  }
  await must(admin.request('POST', `/api/admin/lost-tickets/${lost[0]?.id}/confirm`, { reason: REASON }))
  await must(admin.request('POST', `/api/admin/lost-tickets/${lost[1]?.id}/refuse`, { note: REASON }))
}

/** Admitted, refused, and let in twice. */
async function goIn({ world }: Scene): Promise<void> {
  const guest = await world.as('guest', MARKED)
  const checker = await world.as('qrchecker')
  const { tickets } = await must(guest.request('GET', '/api/tickets/my-tickets'))
  const active = (tickets as Ticket[]).filter(({ status }) => status === 'active')
  await must(admitAtGate(checker, active[0]))
  expect((await admitAtGate(checker, active[0])).status).toBe(409)
  const code = codeOf(active[0] as Ticket)
  await must(
    checker.request('POST', '/api/tickets/mark-used', { qrCode: code, scanId: randomUUID(), admittedOffline: true }),
  )
}

/** A credit that paid an order, one that names its code, and one that pays nothing of ours. */
async function importBank({ world, admin }: Scene): Promise<void> {
  const [order] = await world.sql("select code from orders where provider = 'upi'")
  const csv = [
    'Date,Narration,Credit',
    `08/08/2025,UPI/512345678901/${MARKED.name.toUpperCase()},299`,
    // Only the code says whose money it is, and some banks write in small letters.
    `08/08/2025,upi/${String(order?.code).toLowerCase()}/payer hamza,300`,
    `09/08/2025,NEFT ZEBUNNISAQURAISHI 9000012345@okhdfc,1200`,
  ].join('\n')
  const mapping = { date: 0, description: 1, amount: 2 }
  const { lines } = await must(admin.request('POST', '/api/admin/statements', { csv, mapping }))
  const other = (lines as StatementLine[]).find(({ amount }) => amount === 1200)
  await must(admin.request('PATCH', `/api/admin/statements/${other?.id}`, { aside: NOTE }))
}

/** Texts in which only the words show who they are about. */
async function writeElsewhere({ world, fields, admin }: Scene): Promise<void> {
  await world.sql(`insert into attention (id, kind, dedupe_key, amount_paise, detail, created_at)
    values ('01K50000000000000000000000', 'unknown', 'k', 29900, 'pay_1', 1)`)
  await must(admin.request('POST', '/api/admin/attention/01K50000000000000000000000/resolve', { resolution: NOTE }))
  const { own } = (await must(admin.request('GET', '/api/admin/cash-sessions'))) as unknown as { own: { id: string } }
  await must(admin.request('POST', `/api/admin/cash-sessions/${own.id}/close`, { counted: 500, note: NOTE }))
  const report = { timestamp: '2025-08-08T00:00:00Z', url: 'http://localhost/?q=quimbleday', userAgent: 'Test' }
  const crash = { error: { message: `Cannot read ${MARKED.email}` }, ...report }
  await must(noting(world.nobody, fields).request('POST', '/api/log-error', crash))
}

const after = async (world: World): Promise<Client> => {
  world.clock.set(AFTERWARDS)
  return world.as('admin')
}
const idOf = async ({ sql }: World): Promise<string> =>
  String((await sql('select id from users where email = ?', MARKED.email))[0]?.id)

/** The bytes of the database that are on disk. */
const files = ({ folder }: World): string =>
  ['garba.db', 'garba.db-wal']
    .map((name) => join(folder, name))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file).toString('latin1'))
    .join()
    .toLowerCase()

test('an erased person, planted wherever a name, an email, a phone number or a text goes, is nowhere in the database', async () => {
  const { world, fields, onPaper } = await planted()
  const expected = fieldsForPeople().filter((field) => !NOT_ABOUT_BUYERS.some(([fields]) => fields.test(field)))
  expect([...fields].filter((field) => expected.includes(field)).toSorted()).toEqual(expected)
  const before = (await everyRow(world)).toLowerCase()
  for (const trace of [...TRACES, MARKED.uid]) expect(before).toContain(trace)

  const admin = await after(world)
  await must(admin.request('POST', `/api/admin/users/${await idOf(world)}/erase`))
  await must(admin.request('POST', `/api/admin/orders/${onPaper}/erase`))

  const left = (await everyRow(world)).toLowerCase()
  for (const trace of [...TRACES, MARKED.uid]) expect(left.split(trace).slice(1).map(around)).toEqual([])
  expect(left).not.toContain('hamza')
  expect((await readBooks(world.deps)).filter(({ ok }) => !ok)).toEqual([])
  expect(world.log.join('')).not.toContain(MARKED.email)
  if (!onPostgres()) for (const trace of TRACES) expect(files(world).includes(trace), trace).toBe(false)
})

/** Where a trace was left. */
const around = (rest: string): string => rest.slice(0, 80)

test('an export reaches the same records as the erasure, and leaves out what is another person’s', async () => {
  const { world, onPaper } = await planted()
  const admin = await after(world)
  const response = await admin.fetch('GET', `/api/admin/users/${await idOf(world)}/export`)
  const person = await response.json()
  expect(person).toMatchObject({
    user: { email: MARKED.email },
    orders: expect.arrayContaining([
      expect.objectContaining({ channel: 'web', provider: 'razorpay' }),
      expect.objectContaining({ channel: 'web', provider: 'upi' }),
      expect.objectContaining({ channel: 'desk', phone: MARKED.phone, email: MARKED.email }),
      expect.objectContaining({ channel: 'desk', provider: 'complimentary', phone: '090000-12345', reason: REASON }),
      expect.objectContaining({ channel: 'door', phone: '9000012345' }),
    ]),
    payments: expect.arrayContaining([expect.objectContaining({ utr: '512345678901', note: REASON })]),
    refunds: expect.arrayContaining([expect.objectContaining({ reason: REASON })]),
    lostTickets: [
      { state: 'confirmed', note: REASON },
      { state: 'refused', note: REASON },
    ],
    bankLines: expect.arrayContaining([
      expect.objectContaining({ text: expect.stringContaining('QURAISHI') }),
      expect.objectContaining({ amount: 300 }),
    ]),
    mails: expect.arrayContaining([expect.objectContaining({ about: 'paid' })]),
  })
  // All at one moment, so in any order.
  expect(person.entries.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual([
    'admitted',
    'conflict',
    'refused',
  ])
  expect(person.providerEvents.length).toBeGreaterThan(3)
  expect(JSON.stringify(person.providerEvents)).toContain(MARKED.email)
  expect(person.audit.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['user.deleted', 'ticket.adopted', 'order.deskSale', 'block.sold', 'lost.refused']),
  )
  expect(person.orders.map(({ code }: { code: string }) => code)).not.toContain(onPaper)
  const paper = await (await admin.fetch('GET', `/api/admin/orders/${onPaper}/export`)).json()
  expect(paper).toMatchObject({ user: null, orders: [{ code: onPaper, name: MARKED.name, reason: REASON }] })
})

describe('a buyer without an account', () => {
  const sold = async (admin: Client, sale: object) =>
    (
      (await must(
        admin.request(
          'POST',
          '/api/admin/orders',
          { quantity: 1, method: 'complimentary', reason: 'A gift', ...sale },
          keyed(),
        ),
      )) as unknown as { order: { code: string } }
    ).order.code
  const erase = (admin: Client, code: string) => admin.request('POST', `/api/admin/orders/${code}/erase`)
  const buyersIn = async ({ sql }: World) =>
    (await sql('select buyer_name as name from orders order by id')).map(({ name }) => name)

  test('goes with all orders of the same email or phone number, and nobody else does', async () => {
    const world = await payingWorld()
    const admin = await world.as('admin')
    const code = await sold(admin, { name: 'Radha Patel', email: 'radha@example.org', phone: '+91 98250 12345' })
    await sold(admin, { name: 'R. Patel', phone: '98250-12345' })
    await sold(admin, { name: 'Radha', email: 'radha@example.org' })
    const kept = [
      { name: 'Radha Patel' },
      { name: 'Her brother', email: 'brother@example.org', phone: '98250 12345' },
      { name: 'Mina', email: 'aradha@example.org' },
    ]
    for (const sale of kept) await sold(admin, sale)
    expect(await erase(admin, code)).toMatchObject({ status: 409, body: { code: 'ERASE_ACTIVE_TICKETS' } })
    world.clock.set(AFTERWARDS)
    const desk = await world.as('admin')
    expect((await must(erase(desk, code))).order).toMatchObject({
      buyer: { name: 'Erased person', email: '', phone: null },
      account: null,
    })
    const erased = Array(3).fill('Erased person')
    expect(await buyersIn(world)).toEqual([...erased, ...kept.map(({ name }) => name)])
    expect((await everyRow(world)).match(/[a-z.]*@example\.org/g)?.toSorted()).not.toContain('radha@example.org')
    // The answer was lost.
    await must(erase(desk, code))
    const { rows } = await must(desk.request('GET', '/api/admin/audit?action=order.erased'))
    expect(rows).toMatchObject([{ subjectName: `Order ${code}`, detail: 'Tickets kept as numbers: 3' }])
    const search = async (text: string) =>
      (await must(desk.request('GET', `/api/admin/orders?search=${text}`))).orders as unknown[]
    expect(await search('radha@example')).toEqual([])
    expect(await search('aradha@example')).toHaveLength(1)
  })

  testOnSqlite('who has an account after all is erased through that account', async () => {
    const world = await payingWorld()
    const admin = await world.as('admin')
    const guest = await world.as('guest')
    const { code } = await ordered(guest)
    const atDesk = await sold(admin, { name: 'Garima', email: 'guest@garba.test' })
    for (const one of [code, atDesk]) {
      expect(await erase(admin, one)).toMatchObject({ status: 409, body: { code: 'BUYER_HAS_ACCOUNT' } })
      expect((await admin.request('GET', `/api/admin/orders/${one}/export`)).status).toBe(409)
    }
    expect((await erase(admin, 'NOTTHERE')).status).toBe(404)
  })

  test('whose money is reported once more leaves nothing of that report either', async () => {
    const world = await payingWorld()
    const radha = await world.as('guest', { uid: 'uid-radha', email: 'radha@example.org', name: 'Radha Patel' })
    const { code } = await ordered(radha)
    world.double.pay(linkOf(world, code))
    await settleMoney(world)
    const { tickets } = await orderOf(radha, code)
    await must(radha.request('PATCH', `/api/tickets/cancel/${tickets[0]?.id}`, { reason: 'Ill' }))
    await runJobs(world.deps, 'money')
    const admin = await world.as('admin')
    await must(admin.request('POST', `/api/admin/users/${radha.user?.id}/erase`))
    // The provider ends the refund only now, and names the buyer as ever.
    await settleMoney(world)
    expect(await world.sql("select id from provider_events where body <> ''")).toEqual([])
    expect((await everyRow(world)).toLowerCase()).not.toContain('radha')
  })
})

test('an account that never proved its email takes nothing that is under that email', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const stranger = await world.as('guest', { uid: 'uid-x', email: 'radha@example.org', name: 'Stranger' })
  await world.sql('update users set email_verified = 0 where id = ?', stranger.user?.id)
  const sale = { quantity: 1, method: 'complimentary', reason: 'A gift', name: 'Radha', email: 'radha@example.org' }
  await must(admin.request('POST', '/api/admin/orders', sale, keyed()))
  // A cashier's drawer is under the name alone, which may be anything.
  await must(admin.request('POST', '/api/admin/orders', { ...sale, email: 'meera@example.org' }, keyed()))
  await must(admin.request('PUT', '/api/auth/profile', { displayName: 'Asha (meera@example.org)' }))
  await must((await world.as('admin')).request('POST', '/api/admin/cash-sessions', { float: 0 }))
  for (const id of [stranger.user?.id, admin.user?.id]) {
    const exported = await (await admin.fetch('GET', `/api/admin/users/${id}/export`)).json()
    expect(exported.orders).toEqual([])
  }
})

test('notes lose the name that a person had before changing it', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const token = await sign(
    payloadOf({ uid: 'uid-radha', email: 'radha@example.org', name: 'Radha Patel' }, world.clock.now()),
  )
  const { user } = await must(world.nobody.request('POST', '/api/auth/google-signin', { idToken: token }))
  await must(world.client(token).request('PUT', '/api/auth/profile', { displayName: 'Radha Joshi' }))
  const gift = { quantity: 1, method: 'complimentary', reason: 'For a friend of Radha Patel', name: 'Meera' }
  await must(admin.request('POST', '/api/admin/orders', gift, keyed()))
  await must(admin.request('POST', `/api/admin/users/${(user as { _id: string })._id}/erase`))
  expect(await everyRow(world)).not.toContain('Patel')
  expect(await world.sql('select reason from orders')).toEqual([{ reason: 'For a friend of Erased person' }])
})

test('notes keep the names of the crew and of other guests when a guest of the same name is erased', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const { own } = {
    own: (await must(admin.request('POST', '/api/admin/cash-sessions', { float: 0 }))).session as { id: string },
  }
  const guest = await world.as('guest', { uid: 'uid-asha', email: 'asha@example.org', name: 'Asha Admin' })
  const note = 'Asha Admin was 50 short'
  await must(admin.request('POST', `/api/admin/cash-sessions/${own.id}/close`, { counted: 0, note }))
  await must(admin.request('POST', `/api/admin/users/${guest.user?.id}/erase`))
  expect(await world.sql('select note, person_name as name from cash_sessions')).toEqual([{ note, name: 'Asha Admin' }])
  const { rows } = await must(admin.request('GET', '/api/admin/audit?action=cash.closed'))
  expect(rows).toMatchObject([{ actorName: 'Asha Admin', detail: expect.stringContaining(note) }])
})

test('a person whose email changed is erased with what is under the earlier one', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const radha = { uid: 'uid-radha', email: 'radha@old.example', name: 'Radha Patel' }
  const signIn = async (email: string) => {
    const token = await sign(payloadOf({ ...radha, email }, world.clock.now()))
    const { user } = await must(world.nobody.request('POST', '/api/auth/google-signin', { idToken: token }))
    return (user as { _id: string })._id
  }
  await signIn(radha.email)
  const gift = { quantity: 1, method: 'complimentary', reason: 'A gift', name: 'Radha', phone: '98250 12345' }
  await must(admin.request('POST', '/api/admin/orders', { ...gift, email: radha.email }, keyed()))
  await signIn(radha.email)
  const id = await signIn('radha@new.example')
  world.clock.set(AFTERWARDS)
  await must((await world.as('admin')).request('POST', `/api/admin/users/${id}/erase`))
  const rows = (await everyRow(world)).toLowerCase()
  for (const trace of ['radha', '98250']) expect(rows.split(trace).slice(1).map(around)).toEqual([])
})
