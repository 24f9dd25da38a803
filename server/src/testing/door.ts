import { randomUUID } from 'node:crypto'
import type { DeviceBlock, DoorSaleResult } from '@garba/shared/contracts/block'
import type { Attention } from '@garba/shared/contracts/order'
import { must } from './desk.ts'
import type { Phone } from './phone.ts'
import type { Reply, World } from './world.ts'

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
