import type { Ticket } from '@garba/shared/contracts/ticket'
import { bought, mark } from './scenes.ts'
import type { Client, Reply, World } from './world.ts'

/** A guest of this name and email, with so many tickets just bought. */
export async function buyer(
  world: World,
  { name = 'Garima Guest', email = 'guest@garba.test', quantity = 1 },
): Promise<{ client: Client; tickets: [Ticket, ...Ticket[]] }> {
  const client = await world.as('guest', { uid: `uid-${email}`, email, name })
  return { client, tickets: await bought(client, quantity) }
}

/** Admits a ticket by hand, so that tests need no camera. */
export const admitAtGate = (checker: Client, ticket: Ticket | undefined, scan = {}): Promise<Reply> =>
  mark(checker, { ticketId: ticket?.id, manual: true, ...scan })

/** The body of an answer that has to succeed. */
export async function must(asked: Promise<Reply>): Promise<Record<string, unknown>> {
  const { status, body } = await asked
  if (body.success !== true) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`)
  return body
}
