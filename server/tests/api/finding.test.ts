import { randomUUID } from 'node:crypto'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { payingWorld } from '../../src/testing/money.ts'

/** What people at the counter type for each buyer; `C` stands for the order's code, `T` for the ticket's number. */
const FOUND = [
  ['K.K.Patel', ['patel', 'kk patel']],
  ['S.Ramanathan', ['ramanathan']],
  ['Dr.Ramesh Shah', ['ramesh']],
  ['Anne-Marie Shah', ['marie', 'anne marie']],
  ['Al-Rashid Khan', ['rashid']],
  ["Mehul D'Souza", ['souza', 'dsouza']],
  ['Asha (Mummy) Joshi', ['mummy']],
  ['Shah,Kiran', ['kiran']],
  ['Jignesh/Pooja Mehta', ['pooja']],
  ['સ્વાતિ', ['સ્વાતિ', 'સ્\u200dવાતિ']],
  ['સ્\u200dવાતિ', ['સ્વાતિ', 'સ્\u200dવાતિ']],
] as const
const PHONES = ['9825012345', '919825012345', '09825012345', '12345', '+91 98250 12345']

test('each buyer’s tickets and orders are found on the desk by what people type, by phone number, code and number', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  const sell = async (name: string, more: object = {}) => {
    const sale = { quantity: 1, method: 'complimentary', reason: 'Guest', name, ...more }
    const body = await must(admin.request('POST', '/api/admin/orders', sale, { 'Idempotency-Key': randomUUID() }))
    return { order: body.order as Order, tickets: body.tickets as Ticket[] }
  }
  const tickets = async (typed: string) => {
    const path = `/api/admin/tickets/management?search=${encodeURIComponent(typed)}`
    return ((await must(admin.request('GET', path))).tickets as Ticket[]).map(({ id }) => id)
  }
  const orders = async (typed: string) => {
    const path = `/api/admin/orders?search=${encodeURIComponent(typed)}`
    return ((await must(admin.request('GET', path))).orders as Order[]).map(({ code }) => code)
  }
  for (const [name, typings] of FOUND) {
    const { order, tickets: sold } = await sell(name)
    for (const typed of typings) {
      expect(await tickets(typed), `${name} by ${typed}`).toContain(sold[0]?.id)
      expect(await orders(typed), `${name} by ${typed}`).toContain(order.code)
    }
  }
  const { order, tickets: sold } = await sell('Hetal', { quantity: 2, phone: '+91 98250 12345' })
  const ids = sold.map(({ id }) => id).toSorted()
  for (const typed of [...PHONES, order.code, order.code.slice(-4)]) {
    expect((await tickets(typed)).toSorted(), typed).toEqual(ids)
    expect(await orders(typed), typed).toEqual([order.code])
  }
  const [first = ''] = ids
  for (const length of [4, 6, 8, 26]) expect(await tickets(first.slice(-length)), `${length}`).toEqual([first])
})
