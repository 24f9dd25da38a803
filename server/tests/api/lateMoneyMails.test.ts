import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { makeMailServer } from '../../src/testing/mailServer.ts'
import { linkOf, minutesPass, ordered, orderOf, payingWorld, settleMoney } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'
import type { World } from '../../src/testing/world.ts'

const LATE = 'Your payment of ₹299 arrived after the time for your order had run out, and we could no longer give you'

/** One order of which the hold has ended, and money for it that comes after what has happened since. */
async function mailsAbout(happen: (world: World) => Promise<unknown>): Promise<{ words: string[]; state: string }> {
  const { smtpUrl, mails } = await makeMailServer()
  const settings = { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' }
  const world = await payingWorld({ event: { totalTickets: 1 }, settings })
  const { code } = await ordered(await world.as('guest'))
  const link = linkOf(world, code)
  world.double.payLate(link, 20 * 60_000)
  await minutesPass(world, 18)
  await happen(world)
  await minutesPass(world, 6)
  await settleMoney(world)
  await minutesPass(world, 3)
  const own = mails.filter(({ to }) => to?.some(({ address }) => address === 'guest@garba.test'))
  return {
    words: own.map(({ subject, text }) => `${subject}: ${text?.replace(/\s+/g, ' ')}`),
    state: (await orderOf(await world.as('guest'), code)).state,
  }
}

const callOff = async (world: World) =>
  must(
    (await world.as('admin')).request(
      'POST',
      '/api/admin/event/state',
      { state: 'calledOff', reason: 'The ground is under water.' },
      { 'Idempotency-Key': randomUUID() },
    ),
  )

async function sellLastSeat(world: World): Promise<void> {
  const { code } = await ordered(await world.as('guest', person('Meera')))
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
}

test.each([
  ['another guest has bought the last seat', sellLastSeat],
  ['the event is called off', callOff],
])(
  'when %s, money that comes after the hold has ended goes back whole, and its payer is told once',
  async (_, happen) => {
    const { words, state } = await mailsAbout(happen)
    expect(state).toBe('expired')
    const back = words.filter((mail) => mail.startsWith('You get ₹299 back'))
    expect(back).toHaveLength(1)
    expect(back[0]).toContain('Your payment came too late')
    expect(back[0]).toContain(LATE)
    expect(back[0]).not.toContain('more than your order costs')
    expect(words.filter((mail) => mail.includes('Your tickets'))).toEqual([])
  },
)

test('money that comes after the hold has ended, while the seat is free, buys the ticket, and no mail speaks of money', async () => {
  const { words, state } = await mailsAbout(async () => undefined)
  expect(state).toBe('paid')
  expect(words.some((mail) => mail.includes('came too late'))).toBe(false)
})
