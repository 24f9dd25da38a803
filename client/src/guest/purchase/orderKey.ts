interface Order {
  userId: string
  key: string
  /** Device time in ms at which its fate became unknown; null while no try of it failed. */
  unsureSince: number | null
}

let order: Order | null = null

/**
 * The idempotency key of the purchase that begins now. One whose fate is still unknown is gone on with: whatever is asked
 * under its key, the server sells at most once (DECISIONS 2). Once the tickets were heard anew since, the buyer has seen
 * what became of it, and a new purchase is a new one. `ticketsSavedAt`: device time in ms of that news.
 */
export function beginOrder({ userId, ticketsSavedAt }: { userId: string; ticketsSavedAt: number }): string {
  const goesOn =
    order !== null && order.userId === userId && order.unsureSince !== null && ticketsSavedAt <= order.unsureSince
  if (!goesOn || order === null) order = { userId, key: crypto.randomUUID(), unsureSince: null }
  return order.key
}

/** No answer came: the order may have arrived. */
export function leaveUnsure(key: string, now: number): void {
  if (order?.key === key) order = { ...order, unsureSince: now }
}

/** The server answered, whatever it said: the key has done its work. */
export function endOrder(key: string): void {
  if (order?.key === key) order = null
}
