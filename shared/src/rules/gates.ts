import type { Gate } from '../contracts/gate.ts'
import type { OrderChannel, OrderProvider, TicketKind } from '../contracts/names.ts'

/** The kind of an order's tickets, except paper ones, whose codes were printed before the order. */
export const kindOfOrder = ({ channel, provider }: { channel: OrderChannel; provider: OrderProvider }): TicketKind => {
  if (provider === 'complimentary') return 'complimentary'
  return channel === 'web' ? 'online' : 'counter'
}

/** Whether a gate takes a kind of ticket. A gate that names no kinds takes all. */
export const takes = ({ kinds }: Pick<Gate, 'kinds'>, kind: TicketKind): boolean =>
  kinds.length === 0 || kinds.includes(kind)

/** The names of the gates that take a kind. */
export const gatesFor = (gates: readonly Gate[], kind: TicketKind): string[] =>
  gates.filter((gate) => takes(gate, kind)).map(({ name }) => name)
