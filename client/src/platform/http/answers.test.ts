import { aTicket, aUser } from '@garba/shared/testing/builders'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readAnswer } from './answers.ts'

const user = aUser({ photoURL: 'https://a.test/p.png', profilePicture: 'https://a.test/p.png' })

test('no event is an answer, and so is a role that only a newer server knows', async () => {
  await readAnswer('event', { success: true, data: null })
  const answer = { success: true, user: { ...user, role: 'ringmaster' } }
  expect(await readAnswer('profile', answer)).toEqual(answer)
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
