import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Call } from '../src/calls/call.ts'
import { CALLS } from '../src/calls/calls.ts'
import { ulidSchema } from '../src/contracts/common.ts'
import { eventSchema } from '../src/contracts/event.ts'
import { orderRefundBodySchema } from '../src/contracts/order.ts'
import { profileBodySchema, userSchema } from '../src/contracts/people/user.ts'
import {
  bulkBodySchema,
  bulkRefundBodySchema,
  buyBodySchema,
  cancelBodySchema,
  ticketSchema,
} from '../src/contracts/ticket.ts'
import { toInstant } from '../src/rules/event/calendar.ts'
import { anEvent, aTicket, aUser } from '../src/testing/builders.ts'
import { ulidOf } from '../src/testing/ids.ts'

const calls: readonly [string, Call][] = Object.entries(CALLS)

describe('every call', () => {
  test.each(calls)('%s can be described by JSON Schema', (_name, call) => {
    for (const schema of [call.body, call.query])
      if (schema) expect(z.toJSONSchema(schema, { io: 'input' })).toHaveProperty('type', 'object')
    if (call.answer) expect(z.toJSONSchema(call.answer, { io: 'output' })).toHaveProperty('type', 'object')
  })

  test('has a unique method and path', () => {
    const places = calls.map(([, { method, path }]) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
    expect(new Set(places).size).toBe(places.length)
  })

  test('under /admin or /scanner names the roles it is for', () => {
    for (const [name, { access, path }] of calls)
      if (path.startsWith('/admin') || path.startsWith('/scanner')) expect(Array.isArray(access), name).toBe(true)
  })
})

test('the event body is described field by field', () => {
  const schema = z.toJSONSchema(CALLS.createEvent.body, { io: 'input' })
  expect(Object.keys(schema.properties ?? {})).toEqual([
    'name',
    'venue',
    'description',
    'date',
    'startTime',
    'endTime',
    'endsNextDay',
    'ticketPrice',
    'groupPrice4',
    'totalTickets',
    'eventImage',
    'features',
    'aboutText',
    'salesFrom',
    'salesUntil',
    'paused',
    'capacity',
    'reentry',
    'reentryUntil',
    'types',
  ])
  for (const name of ['endsNextDay', 'features']) expect(schema.required).not.toContain(name)
  expect(schema.properties?.date).toMatchObject({ format: 'date' })
})

describe('the reason of a cancellation', () => {
  const reason = (text: unknown) => cancelBodySchema.safeParse({ reason: text })
  const said = (text: unknown) => reason(text).error?.issues.map((issue) => issue.message)

  test('may have 500 characters and not 501', () => {
    expect(reason('x'.repeat(500)).success).toBe(true)
    expect(said('x'.repeat(501))).toEqual(['Reason must be at most 500 characters'])
  })
  test('is counted after trimming', () => {
    expect(reason(`  ${'x'.repeat(500)}  `).data).toEqual({ reason: 'x'.repeat(500) })
  })
  test('is required', () => {
    for (const nothing of ['', '   ', undefined, null, 5]) expect(said(nothing)).toEqual(['Reason is required'])
  })
})

const messagesOf = (schema: z.ZodType, body: unknown) => schema.safeParse(body).error?.issues.map((i) => i.message)

test('a quantity is a whole number of at least 1, not text', () => {
  expect(buyBodySchema.safeParse({ quantity: 1 }).success).toBe(true)
  for (const quantity of [0, -1, 1.5, '2', null, undefined, Number.NaN])
    expect(messagesOf(buyBodySchema, { quantity })?.[0]).toBe('Quantity must be a whole number of at least 1')
})

test('a bulk update needs at least one ticket and a status', () => {
  const ticketIds = [ulidOf(1)]
  expect(bulkBodySchema.safeParse({ ticketIds, status: 'used' }).success).toBe(true)
  for (const body of [{ ticketIds: [], status: 'used' }, { status: 'used' }, { ticketIds }, { ticketIds, status: '' }])
    expect(messagesOf(bulkBodySchema, body)).toEqual(['Please select tickets and status'])
})

test('too many tickets are refused for that reason', () => {
  const ticketIds = Array.from({ length: 1_001 }, (_, n) => ulidOf(n))
  const said = ['Choose at most 1,000 tickets at a time']
  expect(messagesOf(bulkBodySchema, { ticketIds, status: 'used' })).toEqual(said)
  expect(messagesOf(bulkRefundBodySchema, { ticketIds, isRefundDone: true })).toEqual(said)
  expect(messagesOf(orderRefundBodySchema, { ticketIds, reason: 'Rain' })).toEqual(said)
})

test('a profile cannot write role, email or ids', () => {
  expect(profileBodySchema.safeParse({ displayName: 'Asha', photoURL: 'https://a.test/p.png' }).success).toBe(true)
  for (const stolen of [{ role: 'admin' }, { email: 'a@b.test' }, { _id: ulidOf(1) }, { firebaseUID: 'x' }])
    expect(profileBodySchema.safeParse({ displayName: 'Asha', ...stolen }).success).toBe(false)
  for (const photoURL of ['http://a.test/p.png', 'javascript:alert(1)', 'data:image/png;base64,AAAA'])
    expect(messagesOf(profileBodySchema, { photoURL })).toEqual(['Photo must be an https address'])
  for (const displayName of ['', '  ', 'x'.repeat(81), 5])
    expect(messagesOf(profileBodySchema, { displayName })).toEqual(['Name must have 1 to 80 characters'])
})

describe('what the builders make', () => {
  test('fits the contracts', () => {
    for (const status of ['active', 'used', 'cancelled'] as const)
      expect(ticketSchema.parse(aTicket({ status }))).toBeTruthy()
    expect(eventSchema.parse(anEvent())).toBeTruthy()
    expect(userSchema.parse(aUser())).toBeTruthy()
  })
  test('agrees with itself', () => {
    const { startsAt, endsAt, date, startTime, endTime } = anEvent()
    expect(startsAt).toBe(toInstant(date, startTime, 'Asia/Kolkata').toISOString())
    expect(endsAt).toBe(toInstant(date, endTime, 'Asia/Kolkata').toISOString())
    expect(aTicket({ _id: ulidOf(7) })).toMatchObject({ id: ulidOf(7), ticketId: ulidOf(7) })
    expect(aTicket({ status: 'used' })).toMatchObject({ qrCode: null, scannedBy: { name: 'Chetan Checker' } })
    expect(aUser({ name: 'Asha Admin' }).displayName).toBe('Asha Admin')
  })
  test('has unique ids', () => {
    const ids = Array.from({ length: 2000 }, (_, n) => ulidOf(n))
    expect(new Set(ids).size).toBe(2000)
    for (const id of ids) expect(ulidSchema.safeParse(id).success).toBe(true)
  })
})
