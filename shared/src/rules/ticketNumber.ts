/** Tickets stored on a device may have no number yet. */
interface NumberedTicket {
  number?: number | undefined
}

const readNumber = ({ number }: NumberedTicket): number => number ?? 0

export const sortByNumber = <T extends NumberedTicket>(tickets: readonly T[]): T[] =>
  tickets.toSorted((one, other) => readNumber(one) - readNumber(other))

export const findLastNumber = (tickets: readonly NumberedTicket[]): number => Math.max(0, ...tickets.map(readNumber))
