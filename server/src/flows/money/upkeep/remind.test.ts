import { expect, test } from 'vitest'
import { newId } from '../../../store/engine/sql.ts'
import { must } from '../../../testing/desk.ts'
import { makeMailServer } from '../../../testing/mailServer.ts'
import { linkOf, ordered, orderOf, payingWorld, settleMoney } from '../../../testing/money.ts'
import { eventForm, person } from '../../../testing/scenes.ts'
import { noteReminder } from './remind.ts'

test('each order with active tickets is reminded once, the day before, and on the eve of the new date if the event moves', async () => {
  const { smtpUrl, mails } = await makeMailServer()
  const world = await payingWorld({ settings: { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' } })
  const buy = async (name: string, quantity: number) => {
    const guest = await world.as('guest', person(name))
    const { code } = await ordered(guest, quantity)
    world.double.pay(linkOf(world, code))
    await settleMoney(world)
    return { guest, order: await orderOf(guest, code) }
  }
  const expectReminders = async (time: string, names: readonly string[]) => {
    world.clock.set(time)
    mails.length = 0
    for (const _ of [1, 2]) {
      await noteReminder(world.deps)
      await settleMoney(world)
    }
    const reminded = () => mails.filter(({ subject }) => subject?.startsWith('Reminder')).map(({ to }) => to?.[0]?.name)
    await expect.poll(() => reminded().sort()).toEqual(names)
  }
  const moveTo = async (date: string) =>
    must((await world.as('admin')).request('PUT', '/api/event', eventForm({ date })))
  // A server whose clock was once ahead gives the ids of that time to what comes after it.
  newId(new Date('2025-09-24T00:00:00.000Z'))
  await buy('Meera', 2)
  await buy('Meera', 1)
  const gone = await buy('Gopi', 1)
  await must(gone.guest.request('PATCH', `/api/tickets/cancel/${gone.order.tickets[0]?._id}`, { reason: 'Away' }))
  await settleMoney(world)

  // The event begins at 13:00 UTC.
  await expectReminders('2025-09-21T12:59:59.000Z', [])
  await moveTo('2025-09-24')
  await expectReminders('2025-09-21T13:00:00.000Z', [])
  await expectReminders('2025-09-23T13:00:00.000Z', ['Meera', 'Meera'])
  const whole = mails.find(({ attachments }) => attachments.length === 3)
  expect(whole).toMatchObject({ subject: 'Reminder: Garba Rass 2025' })
  expect(whole?.text).toContain('Here are your tickets for the evening.')
  expect(whole?.text).toContain('/wallet#')
  await expectReminders('2025-09-23T14:00:00.000Z', [])

  // Who buys on the last day has the mail with the tickets.
  await buy('Radha', 1)
  await expectReminders('2025-09-23T15:00:00.000Z', [])
  await moveTo('2025-09-27')
  await expectReminders('2025-09-26T13:00:00.000Z', ['Meera', 'Meera', 'Radha'])
  await moveTo('2025-09-30')
  await expectReminders('2025-09-30T13:00:00.000Z', [])
})
