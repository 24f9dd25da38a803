import { Refusal } from '../refusal.ts'
import { type Ctx, isWhole } from './context.ts'

const KB = 1024
const MB = KB * KB

/** Strangers and signed-in callers have separate budgets, so strangers who use up theirs do not block a checker. */
export type Sender = 'stranger' | 'caller'

export interface BodyBounds {
  /** Bytes that all bodies in progress may hold together, in the whole server. */
  bytes: Record<Sender, number>
  /** Milliseconds within which a body must arrive. */
  patienceMs: number
}

/**
 * A stranger's body has at most 64 KB, so 250 of them fit; the budget for callers fits six events with the largest picture.
 * The patience is twice the client's own timeout.
 */
const BOUNDS: BodyBounds = { bytes: { stranger: 16 * MB, caller: 48 * MB }, patienceMs: 30_000 }

export interface Bodies {
  /**
   * Reads a request's body. Refuses with PAYLOAD_TOO_LARGE above `max` bytes, without reading it if its length is
   * declared, and with UNAVAILABLE when it arrives too slowly or other bodies have used up the budget.
   */
  read: (c: Ctx, limits: { max: number; sender: Sender }) => Promise<Uint8Array<ArrayBuffer>>
}

export function makeBodies({ bytes, patienceMs }: BodyBounds = BOUNDS): Bodies {
  const held: Record<Sender, number> = { stranger: 0, caller: 0 }

  function holdFor(sender: Sender, max: number) {
    let own = 0
    return {
      add: (count: number) => {
        if (own + count > max) throw new Refusal('PAYLOAD_TOO_LARGE')
        if (held[sender] + count > bytes[sender]) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })
        own += count
        held[sender] += count
      },
      release: () => {
        held[sender] -= own
      },
    }
  }

  return {
    read: async (c, { max, sender }) => {
      const hold = holdFor(sender, max)
      try {
        const arriving = arrive(c, hold.add)
        return await (isWhole(c) ? arriving : inTime(patienceMs, arriving))
      } finally {
        hold.release()
      }
    },
  }
}

async function arrive(c: Ctx, add: (count: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  const length = c.req.header('content-length')
  // `arrayBuffer` reads the body directly; accessing `raw.body` would create a stream first.
  if (length !== undefined && c.req.header('transfer-encoding') === undefined) {
    add(Number(length))
    return new Uint8Array(await c.req.arrayBuffer())
  }
  const chunks: Uint8Array[] = []
  const reader = c.req.raw.body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    add(part.value.length)
    chunks.push(part.value)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** An abandoned body ends soon: the listener closes a connection that was answered before its body was fully read. */
async function inTime<T>(patienceMs: number, work: Promise<T>): Promise<T> {
  const tooLate = Promise.withResolvers<never>()
  const timer = setTimeout(() => tooLate.reject(new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })), patienceMs)
  try {
    return await Promise.race([work, tooLate.promise])
  } finally {
    clearTimeout(timer)
  }
}
