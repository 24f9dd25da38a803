import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bought, putOnSale } from '../../../server/src/testing/scenes.ts'
import { serveHere } from '../../../server/src/testing/serveHere.ts'
import { makeWorld } from '../../../server/src/testing/world.ts'
import { useConfig } from '../platform/config.ts'
import { callServer } from '../platform/http/call.ts'
import { toApiFailure } from '../platform/http/failure.ts'
import { setTokenSource } from '../platform/http/tokens.ts'
import { failureText, limitText } from './failures.ts'
import { en } from './texts/en.ts'
import { gu } from './texts/gu.ts'
import { hi } from './texts/hi.ts'

beforeEach(() => vi.stubGlobal('localStorage', { getItem: () => '1', setItem: () => undefined }))
afterEach(() => void vi.unstubAllGlobals())

/** A page of a guest with 2 tickets, loaded before the organiser lowered the limits. */
async function pageBehind(settings: Record<string, string>) {
  const world = await makeWorld({ settings })
  await putOnSale(world)
  const guest = await world.as('guest')
  await bought(guest, 2)
  serveHere(world)
  setTokenSource(async () => ({ token: async () => guest.token }))
  useConfig.setState({ config: null })
}
const refusalOf = (quantity: number) =>
  callServer('buyTickets', { body: { quantity }, headers: { 'Idempotency-Key': crypto.randomUUID() } }).then(
    () => expect.unreachable('The order went through'),
    (error: unknown) => error,
  )

test('an order above a limit lowered since the page loaded shows that limit, and the page knows it from then on', async () => {
  await pageBehind({ MAX_PER_ORDER: '3' })
  const error = await refusalOf(4)
  expect(await limitText(error, 4, en)).toBe('One order can hold at most 3 tickets.')
  expect(useConfig.getState().config?.maxPerOrder).toBe(3)
  expect(await limitText(error, 4, gu)).toBe(gu.purchase.atMost(3))
})

test('so is one above the limit for a person', async () => {
  await pageBehind({ MAX_PER_PERSON: '5' })
  const error = await refusalOf(4)
  expect(await limitText(error, 4, en)).toBe('One person may have at most 5 tickets. You may buy 3 more.')
  expect(useConfig.getState().config?.maxPerPerson).toBe(5)
})

test("if the settings cannot be fetched, the server's own message is shown", async () => {
  await pageBehind({ MAX_PER_ORDER: '3' })
  const error = await refusalOf(4)
  vi.stubGlobal('fetch', async () => new Response('{"success":false,"code":"INTERNAL"}', { status: 500 }))
  expect(await limitText(error, 4, gu)).toBe('One order can hold at most 3 tickets')
})

test('a server that has been replaced asks for patience, and shows no words of its own', () => {
  const body = { success: false, code: 'READ_ONLY', message: 'Another server has taken over.' }
  expect(failureText(toApiFailure({ status: 503, body }), en)).toBe(
    'Tickets can’t be bought or changed at the moment. Please try again in a few minutes.',
  )
})

/** Some need two phones, or a page that is behind. */
const MET = [
  ...[
    'EVENT_CLOSED',
    'EVENT_CALLED_OFF',
    'CANCELLATION_WAITS',
    'ALREADY_USED',
    'TICKET_CANCELLED',
    'CODE_REPLACED',
    'NEW_CODE_LIMIT',
  ],
  ...['LINK_UNKNOWN', 'LINK_ENDED', 'LINK_TAKEN', 'LINK_LIMIT', 'OFFER_TAKEN', 'ORDER_NOT_HELD'],
]

test.each(MET)('%s has a text in each language of the guests', (code) => {
  const failure = toApiFailure({ status: 409, body: { success: false, code, message: 'Said to the crew.' } })
  for (const words of [en, gu, hi]) expect(failureText(failure, words)).not.toBe('Said to the crew.')
})

test('any other failure is not about a limit', async () => {
  expect(await limitText(new Error('broken'), 4, en)).toBeNull()
})
