import { CALLS } from '@garba/shared/calls/calls'
import type { CallName } from '@garba/shared/contracts/paths'
import { anEvent, aTicket, aUser } from '@garba/shared/testing/builders'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LIGHT, readAnswer } from './answers.ts'

const config = {
  eventTitle: 'Garba Rass 2025',
  timezone: 'Asia/Kolkata',
  supportEmail: 'help@garba.test',
  instagramUrl: 'https://instagram.test/garba',
  publicUrl: 'https://garba.test',
  version: '1.0.0',
  maxPerOrder: 100,
  maxPerPerson: 0,
  payments: { providers: ['razorpay'], desk: true, upiAtDoor: 'wait', holdMinutes: 15, test: false },
  mail: 'sent',
  signIn: ['google', 'email'],
  demo: true,
  rehearsal: false,
  demoAccounts: [{ uid: 'a', email: 'a@garba.test', name: 'Asha' }],
  firebase: { projectId: 'p', apiKey: 'k', authDomain: 'd' },
}
const user = aUser({ photoURL: 'https://a.test/p.png', profilePicture: 'https://a.test/p.png' })
const answers: readonly [CallName, object][] = [
  ['config', { success: true, ...config }],
  ['event', { success: true, data: anEvent({ eventImage: '/api/event/image/a', aboutText: 'A night' }) }],
  ['logError', { success: true }],
  ['mailLink', { success: true }],
  ['signIn', { success: true, user, isNewUser: false }],
  ['me', { success: true, user }],
  ['profile', { success: true, user }],
  ['assignAdmin', { success: true, user }],
  ['logout', { success: true }],
]

/** What an older server leaves out. Every other field is refused when it is missing. */
const OPTIONAL = ['endsNextDay']

/** The value with each of its fields, in turn, missing and of a type that no field has; and whether it is still taken. */
function* broken(value: unknown): Generator<readonly [body: unknown, taken: boolean]> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const copyWith = (changed: unknown) =>
      Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed }
    yield [copyWith(undefined), OPTIONAL.includes(key)]
    yield [copyWith(Symbol.for('of another type')), false]
    for (const [deeper, taken] of broken(inner)) yield [copyWith(deeper), taken]
  }
}

const contractTakes = (name: CallName, body: unknown) => {
  const call = CALLS[name]
  return 'answer' in call && call.answer.safeParse(body).success
}

test('every call that is checked without zod is tested here', () => {
  expect(answers.map(([name]) => name).toSorted()).toEqual(Object.keys(LIGHT).toSorted())
})

test.each(answers)('the check of %s accepts and refuses the same fields as its contract', (name, answer) => {
  const check = LIGHT[name]
  expect([contractTakes(name, answer), check?.(answer)]).toEqual([true, true])
  const others = [null, 'text', [], {}].map((body) => [body, false] as const)
  for (const [body, taken] of [...others, ...broken(answer)])
    expect([contractTakes(name, body), check?.(body)], JSON.stringify(body)).toEqual([taken, taken])
})

test('no event is an answer, and so is a role that only a newer server knows', async () => {
  await readAnswer('event', { success: true, data: null })
  const answer = { success: true, user: { ...user, role: 'ringmaster' } }
  expect(await readAnswer('profile', answer)).toBe(answer)
})

test('an answer holds what its contract names and nothing else', async () => {
  const tickets = [aTicket()]
  const answer = { success: true, tickets: tickets.map((ticket) => ({ ...ticket, secret: 'x' })), more: 1 }
  expect(await readAnswer('myTickets', answer)).toEqual({ success: true, tickets })
})

test.each([
  ['myTickets', { success: true, tickets: [{ ...aTicket(), qrCode: 7, cancellationReason: 'My private reason' }] }],
  ['myTickets', { success: true }],
  ['profile', { success: true, user: { ...user, name: null } }],
  ['event', { success: true, data: { name: 'Half an event' } }],
] as const)(
  'an answer to %s that does not fit is a network failure, logged without its content',
  async (name, body) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => log.mockRestore())
    await expect(readAnswer(name, body)).rejects.toMatchObject({ code: 'NETWORK', status: 0 })
    expect(log).toHaveBeenCalledOnce()
    const logged = JSON.stringify(log.mock.calls)
    expect(logged).toContain(name)
    expect(logged).not.toMatch(/private|garba\.test|Half an event/)
  },
)
