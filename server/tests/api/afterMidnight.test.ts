import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { RosterAnswer } from '@garba/shared/contracts/phones/scan'
import { expect, test } from 'vitest'
import { composeLetter } from '../../src/mail/compose.ts'
import type { Mail } from '../../src/mail/mails.ts'
import { must } from '../../src/testing/desk.ts'
import { aMail, MAIL_SITE } from '../../src/testing/mails.ts'
import { buy, eventForm } from '../../src/testing/scenes.ts'
import { makeWorld } from '../../src/testing/world.ts'

const LATE = { startTime: '19:00', endTime: '01:30', endsNextDay: true }

test('an end before the start is refused with the known message, unless the event ends the next day', async () => {
  const world = await makeWorld()
  const admin = await world.as('admin')
  for (const endTime of ['01:30', '19:00'])
    for (const more of [{}, { endsNextDay: false }])
      expect(
        await admin.request('POST', '/api/event', eventForm({ startTime: '19:00', endTime, ...more })),
      ).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'endTime', message: 'End time must be after start time' }] },
      })
  expect(await admin.request('POST', '/api/event', eventForm({ ...LATE, endsNextDay: 'maybe' }))).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'endsNextDay' }] },
  })
  const { data } = await must(admin.request('POST', '/api/event', eventForm(LATE)))
  expect(data).toMatchObject({ ...LATE, startsAt: '2025-09-22T13:30:00.000Z', endsAt: '2025-09-22T20:00:00.000Z' })
})

test('an event says nothing about the next day unless it was asked for', async () => {
  const world = await makeWorld()
  const admin = await world.as('admin')
  const { data } = await must(admin.request('POST', '/api/event', eventForm()))
  expect(data).toMatchObject({ endsNextDay: false, endsAt: '2025-09-22T17:00:00.000Z' })
  const { startTime, endTime } = LATE
  const unaware = eventForm({ startTime, endTime })
  expect(await admin.request('PUT', '/api/event', unaware)).toMatchObject({ status: 400 })
})

test('sales, closing, the scanner, mails and the trail go by the end after midnight', async () => {
  const world = await makeWorld()
  const admin = await world.as('admin')
  const event = (await must(admin.request('POST', '/api/event', eventForm(LATE)))).data as GarbaEvent
  world.clock.set('2025-09-22T19:59:00Z')
  expect(await buy(await world.as('guest'), 1)).toMatchObject({ status: 201 })
  const closing = async () => (await world.as('admin')).request('POST', `/api/admin/events/${event._id}/close`)
  expect(await closing()).toMatchObject({ status: 409, body: { code: 'EVENT_NOT_OVER' } })
  const checker = await world.as('qrchecker')
  const roster = (await must(checker.request('GET', '/api/scanner/roster'))) as unknown as RosterAnswer
  expect(roster.event).toMatchObject({ date: '2025-09-22', endTime: '01:30', endsNextDay: true })
  const [row] = await world.sql('select * from events')
  const mailed = { ...event, id: event._id, endsNextDay: row?.ends_next_day === 1 }
  const dates = { createdAt: new Date(event.createdAt), updatedAt: new Date(event.updatedAt) }
  const mail = { ...aMail('changed'), event: { ...mailed, ...dates } } as Mail
  const { attachments } = await composeLetter(mail, { ...MAIL_SITE, timezone: 'Asia/Kolkata' })
  expect(String(attachments[0]?.content)).toContain('DTEND:20250922T200000Z')
  expect(await must((await world.as('admin')).request('GET', '/api/admin/audit?action=event.created'))).toMatchObject({
    rows: [{ detail: expect.stringContaining('19:00 to 01:30 the next day') }],
  })
  world.clock.set('2025-09-22T20:00:00Z')
  expect(await buy(await world.as('guest'), 1)).toMatchObject({ status: 409, body: { code: 'SALES_CLOSED' } })
  await must(closing())
})
