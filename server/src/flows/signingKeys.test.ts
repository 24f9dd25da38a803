import { randomUUID } from 'node:crypto'
import type { DeviceBlock } from '@garba/shared/contracts/phones/block'
import { readQr } from '@garba/shared/rules/qr'
import { expect, onTestFinished, test } from 'vitest'
import { must } from '../testing/desk.ts'
import { allot, ask, kept, replay, sellingPhone } from '../testing/door.ts'
import { payingWorld } from '../testing/money.ts'
import { bought, codeOf, mark, putOnSale } from '../testing/scenes.ts'
import { type Client, makeWorld, type World } from '../testing/world.ts'
import { ensureSigningKey, listKeys, revokeKey, rotateKey } from './signingKeys.ts'

interface Roster {
  revision: number
  keys: { kid: string; eventId: string; jwk: { kty: 'EC'; crv: 'P-256'; x: string; y: string } }[]
}
const rosterOf = async (checker: Client) =>
  (await checker.request('GET', '/api/scanner/roster')).body as unknown as Roster
const myCode = async (guest: Client, id: string) =>
  (await guest.request('GET', `/api/tickets/${id}`)).body.ticket as { qrCode: string }

/** Like `npm run keys`: a second connection to the running server's database. */
async function atTerminal({ openAgain, clock }: World) {
  const store = await openAgain()
  onTestFinished(store.close)
  return { store, now: clock.now, signer: await ensureSigningKey({ store, now: clock.now }) }
}

/** Makes a new key. Returns the one that signed before. */
async function rotatedFrom(terminal: Awaited<ReturnType<typeof atTerminal>>): Promise<string> {
  const [first] = await terminal.store.read(listKeys)
  await rotateKey(terminal)
  return first?.kid ?? ''
}

async function sold() {
  const world = await makeWorld()
  const event = await putOnSale(world)
  const guest = await world.as('guest')
  const checker = await world.as('qrchecker')
  const terminal = await atTerminal(world)
  const [ticket] = await bought(guest)
  return { world, event, guest, checker, terminal, ticket, oldKey: (await terminal.store.read(listKeys))[0]?.kid ?? '' }
}

test('a running server signs with a new key at once, and codes with the old one stay valid', async () => {
  const { event, guest, checker, terminal, ticket, oldKey } = await sold()
  const before = await rosterOf(checker)
  const newKey = await rotateKey(terminal)
  const after = await rosterOf(checker)
  expect(after.revision).toBeGreaterThan(before.revision)
  expect(after.keys.map(({ kid, eventId }) => [kid, eventId])).toEqual([
    [oldKey, event._id],
    [newKey, event._id],
  ])
  const [next] = await bought(guest)
  const byNewKey = { keys: after.keys.filter(({ kid }) => kid === newKey), eventId: event._id }
  expect(await readQr({ text: codeOf(next), ...byNewKey })).toMatchObject({ type: 'genuine' })
  expect(await readQr({ text: codeOf(ticket), ...byNewKey })).toMatchObject({ type: 'forged' })
  for (const each of [ticket, next]) expect((await mark(checker, { qrCode: codeOf(each) })).status).toBe(200)
})

test('revoking signs that key’s tickets again and then refuses its codes', async () => {
  const { guest, checker, terminal, ticket, oldKey } = await sold()
  const newKey = await rotateKey(terminal)
  const [untouched] = await bought(guest)
  const { revision } = await rosterOf(checker)
  expect(await revokeKey(terminal, oldKey)).toEqual({ signedAgain: 1 })
  const roster = await rosterOf(checker)
  expect(roster.revision).toBeGreaterThan(revision)
  expect(roster.keys.map(({ kid }) => kid)).toEqual([newKey])
  expect((await myCode(guest, untouched._id)).qrCode).toBe(untouched.qrCode)
  const refused = await mark(checker, { qrCode: codeOf(ticket) })
  expect(refused.body).toMatchObject({ success: false, code: 'QR_FORGED' })
  const { qrCode } = await myCode(guest, ticket._id)
  expect((await mark(checker, { qrCode })).body).toMatchObject({ outcome: 'admitted', ticket: { _id: ticket._id } })
})

test('codes that a phone holds for sale are signed again too, so who buys one afterwards gets in', async () => {
  const world = await payingWorld()
  const terminal = await atTerminal(world)
  const phone = await sellingPhone(world)
  const before = await allot(phone, 2)
  const oldKey = await rotatedFrom(terminal)
  expect(await revokeKey(terminal, oldKey)).toEqual({ signedAgain: 0 })
  const [block] = (await must(ask(phone, 'GET', '/api/devices/blocks'))).blocks as DeviceBlock[]
  if (!block) throw new Error('The phone has no codes')
  expect(await replay(phone, kept(world, block, [1]))).toMatchObject([{ success: true }])
  const checker = await world.as('qrchecker')
  const codeIn = ({ codes }: DeviceBlock) => mark(checker, { qrCode: codes[0]?.qrCode })
  expect((await codeIn(before)).body).toMatchObject({ code: 'QR_FORGED' })
  expect((await codeIn(block)).body).toMatchObject({ outcome: 'admitted' })
})

test('a cancelled ticket that an admin reactivates shows a valid code', async () => {
  const { world, guest, checker, terminal, ticket, oldKey } = await sold()
  const admin = await world.as('admin')
  const move = (status: string) => admin.request('PATCH', `/api/tickets/admin/${ticket._id}/status`, { status })
  await move('cancelled')
  await rotateKey(terminal)
  await revokeKey(terminal, oldKey)
  await move('active')
  const { qrCode } = await myCode(guest, ticket._id)
  expect((await mark(checker, { qrCode })).body).toMatchObject({ outcome: 'admitted' })
})

test('an offline admission with a key revoked since still counts', async () => {
  const { world, checker, terminal, ticket, oldKey } = await sold()
  await rotateKey(terminal)
  await revokeKey(terminal, oldKey)
  const scannedAt = world.clock.now().toISOString()
  const scan = { qrCode: codeOf(ticket), scanId: randomUUID(), deviceId: 'd1', scannedAt, admittedOffline: true }
  const batch = await checker.request('POST', '/api/tickets/mark-used/batch', { scans: [scan] })
  expect(batch.body.results).toMatchObject([{ outcome: 'admitted', ticket: { _id: ticket._id } }])
})

test('the signing key, an unknown key and a revoked key are refused', async () => {
  const { terminal, oldKey } = await sold()
  await expect(revokeKey(terminal, oldKey)).rejects.toThrow(/signs new tickets: make another first/)
  await expect(revokeKey(terminal, 'nothing')).rejects.toThrow(/There is no signing key nothing/)
  await rotateKey(terminal)
  await revokeKey(terminal, oldKey)
  await expect(revokeKey(terminal, oldKey)).rejects.toThrow(/already revoked/)
  expect((await terminal.store.read(listKeys)).map(({ state }) => state)).toEqual(['revoked', 'signs'])
})

test('a revoked key loses its private half, and both steps are audited', async () => {
  const { world, terminal, oldKey } = await sold()
  const newKey = await rotateKey(terminal)
  await revokeKey(terminal, oldKey)
  const rows = await world.sql('select private_jwk from signing_keys where kid = ?', oldKey)
  expect(rows).toEqual([{ private_jwk: '{}' }])
  const trail = await (await world.as('admin')).request('GET', '/api/admin/audit?search=signing')
  expect(trail.body.rows).toMatchObject([
    { action: 'keys.revoked', subject: oldKey },
    { action: 'keys.rotated', subject: newKey },
  ])
})
