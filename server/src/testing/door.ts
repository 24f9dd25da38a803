import { randomUUID } from 'node:crypto'
import type { CashSession } from '@garba/shared/contracts/money/cash'
import type { Attention } from '@garba/shared/contracts/order'
import type { DeviceBlock, DoorSaleResult } from '@garba/shared/contracts/phones/block'
import { must } from './desk.ts'
import { type Phone, pairedPhone } from './phone.ts'
import type { Client, Reply, World } from './world.ts'

/** A call by a phone, with a fresh token. */
export const ask = async (phone: Phone, method: string, path: string, body?: unknown, headers = {}): Promise<Reply> =>
  (await phone.client()).request(method, path, body, headers)
export const allot = async (phone: Phone, size: number): Promise<DeviceBlock> =>
  (await must(ask(phone, 'POST', '/api/devices/blocks', { size }))).block as DeviceBlock
export const giveBack = (phone: Phone, { id }: DeviceBlock) => ask(phone, 'POST', `/api/devices/blocks/${id}/return`)
export const sellOnline = (phone: Phone, sale: Record<string, unknown>, key: string = randomUUID()) =>
  ask(
    phone,
    'POST',
    '/api/admin/orders',
    { quantity: 1, method: 'cash', name: 'Meera', ...sale },
    { 'Idempotency-Key': key },
  )

/** A sale as a phone kept it, of these numbers of a block. */
export const kept = (
  world: World,
  { codes }: DeviceBlock,
  numbers: readonly number[],
  more: Record<string, unknown> = {},
) => ({
  key: randomUUID(),
  ticketIds: numbers.map((number) => codes[number - 1]?.ticketId),
  method: 'cash',
  soldAt: world.clock.now().toISOString(),
  ...more,
})
export const replay = async (phone: Phone, ...sales: readonly unknown[]): Promise<DoorSaleResult[]> =>
  (await must(ask(phone, 'POST', '/api/devices/sales', { sales }))).results as DoorSaleResult[]
export const attention = async (world: World) =>
  (await must((await world.as('admin')).request('GET', '/api/admin/attention'))).attention as Attention[]

/** Opens a drawer for a person at the desk, or for the shift on a phone. */
export const openDrawer = async (client: Client, float = 0): Promise<string> =>
  ((await must(client.request('POST', '/api/admin/cash-sessions', { float }))).session as CashSession).id
/** A phone whose seller has a drawer open. */
export async function sellingPhone(world: World, wanted: Parameters<typeof pairedPhone>[1] = {}): Promise<Phone> {
  const phone = await pairedPhone(world, wanted)
  await openDrawer(await phone.client())
  return phone
}
export const countDrawer = (client: Client, id: string, counted: number, note?: string): Promise<Reply> =>
  client.request('POST', `/api/admin/cash-sessions/${id}/close`, {
    counted,
    ...(note === undefined ? {} : { note }),
  })

/**
 * What is wrong with the drawers in the raw tables: float, plus taken, minus paid back, must be what was expected at the count,
 * and money or refunds that came after the count must be in none.
 */
export async function drawerFaults({ sql }: World): Promise<string[]> {
  const rows = await sql(`select s.person_name, s.float_paise, s.closed_at, s.expected_paise, s.counted_paise,
      (select coalesce(sum(p.amount_paise), 0) from payments p where p.cash_session_id = s.id and p.state = 'captured') as taken,
      (select coalesce(sum(r.amount_paise), 0) from refunds r where r.cash_session_id = s.id and r.state = 'manual') as paid_back,
      (select count(*) from payments p where p.cash_session_id = s.id and p.provider <> 'cash') as other
    from cash_sessions s`)
  const open = rows.filter(({ closed_at }) => closed_at === null)
  const counted = rows.filter(({ closed_at }) => closed_at !== null)
  const wrong = counted.filter(
    (row) => Number(row.float_paise) + Number(row.taken) - Number(row.paid_back) !== Number(row.expected_paise),
  )
  return [
    ...wrong.map(({ person_name }) => `${person_name}: float + taken - paid back is not what was expected`),
    ...rows.filter(({ other }) => Number(other) > 0).map(({ person_name }) => `${person_name}: holds other than cash`),
    ...open
      .filter(({ expected_paise }) => expected_paise !== null)
      .map(({ person_name }) => `${person_name}: expected`),
  ]
}
