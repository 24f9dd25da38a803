import type { Ticket } from '@garba/shared/contracts/ticket'
import { bought, mark } from './scenes.ts'
import type { Client, Reply, World } from './world.ts'

/** A guest with this name and email who has just bought `quantity` tickets. */
export async function buyer(
  world: World,
  { name = 'Garima Guest', email = 'guest@garba.test', quantity = 1 },
): Promise<{ client: Client; tickets: [Ticket, ...Ticket[]] }> {
  const client = await world.as('guest', { uid: `uid-${email}`, email, name })
  return { client, tickets: await bought(client, quantity) }
}

/** Admits a ticket by hand, without a QR code. */
export const admitAtGate = (checker: Client, ticket: Ticket | undefined, scan = {}): Promise<Reply> =>
  mark(checker, { ticketId: ticket?.id, manual: true, ...scan })

/** The body of a response. Throws unless it succeeded. */
export async function must(asked: Promise<Reply>): Promise<Record<string, unknown>> {
  const { status, body } = await asked
  if (body.success !== true) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`)
  return body
}
