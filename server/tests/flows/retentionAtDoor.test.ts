import { randomUUID } from 'node:crypto'
import type { DeviceBlock } from '@garba/shared/contracts/phones/block'
import { expect, test } from 'vitest'
import { runRetention } from '../../src/flows/people/retention.ts'
import { LAST_BACKUP, writeMeta } from '../../src/store/meta.ts'
import { activate, paperBlock } from '../../src/testing/blocks.ts'
import { must } from '../../src/testing/desk.ts'
import { openDrawer } from '../../src/testing/door.ts'
import { everyRow } from '../../src/testing/everyRow.ts'
import { payingWorld } from '../../src/testing/money.ts'
import { pairedPhone } from '../../src/testing/phone.ts'

test('after three years nothing names the sellers and buyers of the door: phones, shifts, blocks, sales, cash and audit', async () => {
  const world = await payingWorld()
  const { data } = await must(world.nobody.request('GET', '/api/event'))
  world.clock.set('2025-09-22T12:00:00Z')
  const phone = await pairedPhone(world, { name: 'Hetals Pixel', gates: ['North'] })
  const from = async (method: string, path: string, body?: unknown, headers = {}) =>
    must((await phone.client()).request(method, path, body, headers))
  await from('PUT', '/api/devices/shift', { name: 'Bhavin Rathod' })
  const opened = await from('POST', '/api/admin/cash-sessions', { float: 500 })
  const { id: sessionId } = opened.session as { id: string }
  const { block } = (await from('POST', '/api/devices/blocks', { size: 5 })) as unknown as { block: DeviceBlock }
  const sale = (numbers: readonly number[], more: Record<string, unknown>) => ({
    key: randomUUID(),
    ticketIds: numbers.map((number) => block.codes[number - 1]?.ticketId),
    method: 'cash',
    soldAt: world.clock.now().toISOString(),
    checkerName: 'Bhavin Rathod',
    ...more,
  })
  const buyer = { name: 'Radha Patel', phone: '+91 98765 43210' }
  const sales = [
    sale([1], { ...buyer, scanIds: [randomUUID()] }),
    sale([2], { ...buyer, method: 'complimentary', reason: 'Her sister' }),
  ]
  await from('POST', '/api/devices/sales', { sales })
  const online = { quantity: 1, method: 'cash', ...buyer, admit: true }
  await from('POST', '/api/admin/orders', online, { 'Idempotency-Key': randomUUID() })
  const count = { counted: 800, note: 'Falguni has the rest' }
  await from('POST', `/api/admin/cash-sessions/${sessionId}/close`, count)
  await from('PUT', '/api/devices/shift', { name: 'Meera Joshi' })
  const ask = async (method: string, path: string, body?: unknown) =>
    must((await world.as('admin')).request(method, path, body))
  const admin = await world.as('admin')
  const paper = await paperBlock(admin, 4, 'Kamlesh Desai, Paldi')
  await openDrawer(admin)
  await must(activate(admin, paper, { from: 1, to: 2 }))
  await ask('PATCH', `/api/admin/devices/${phone.id}`, { name: 'Hetals Nokia', revoked: true })
  const traces = ['Hetal', 'Bhavin', 'Meera', 'Radha', 'Kamlesh', '98765', 'sister', 'Falguni']
  for (const trace of traces) expect(await everyRow(world)).toContain(trace)

  // Closed before the phones' time is over, as on the evening itself.
  world.clock.set('2025-09-22T17:00:00Z')
  await ask('POST', `/api/admin/events/${(data as { _id: string })._id}/close`, { anyway: true })
  for (const at of ['2028-08-23T17:00:00Z', '2028-09-22T17:00:00Z']) {
    world.clock.set(at)
    await world.store.write((tx) => writeMeta(tx, LAST_BACKUP, at))
    await runRetention(world.deps)
  }
  const users = JSON.stringify(await world.sql('select * from users'))
  const left = (await everyRow(world)).replace(users, '')
  for (const trace of traces) expect(left).not.toContain(trace)
  expect(await world.sql('select kind, label, size from code_blocks order by size')).toEqual([
    { kind: 'paper', label: 'Erased person', size: 4 },
    { kind: 'device', label: 'Erased person', size: 5 },
  ])
  expect(await world.sql('select state, count(*) as n from block_codes group by state order by state')).toEqual([
    { state: 'returned', n: 5 },
    { state: 'sold', n: 4 },
  ])
  expect(await world.sql('select name, shift_name, created_by_name, revoked_by_name from paired_devices')).toEqual([
    { name: 'Erased person', shift_name: null, created_by_name: 'Erased person', revoked_by_name: 'Erased person' },
  ])
  expect(await world.sql("select distinct actor_name, subject_name from audit where action like 'device.%'")).toEqual([
    { actor_name: 'Erased person', subject_name: 'Erased person' },
  ])
  expect(await world.sql('select person_name, note, counted_paise from cash_sessions order by id')).toEqual([
    { person_name: 'Erased person', note: 'Erased', counted_paise: 80_000 },
    { person_name: 'Erased person', note: null, counted_paise: null },
  ])
  expect(await world.sql('select sum(quantity) as seats from orders')).toEqual([{ seats: 5 }])
})
