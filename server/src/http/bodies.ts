import { Refusal } from '../refusal.ts'
import type { Ctx } from './context.ts'

const KB = 1024
const MB = KB * KB

/** Whose body it is: shares are apart, so that strangers who fill theirs stop no checker. */
export type Sender = 'stranger' | 'caller'

export interface BodyBounds {
  /** Bytes that bodies under way may hold at one time in the whole server. */
  bytes: Record<Sender, number>
  /** Milliseconds in which a body must have arrived. */
  patienceMs: number
}

/**
 * A stranger's body has at most 64 KB, so 250 of them may be under way; beside them six events with the largest picture.
 * Twice the time in which the client gives a request up.
 */
const BOUNDS: BodyBounds = { bytes: { stranger: 16 * MB, caller: 48 * MB }, patienceMs: 30_000 }

export interface Bodies {
  /**
   * The bytes of a request's body. Refuses with PAYLOAD_TOO_LARGE above `max` bytes, before reading where its length
   * is declared, and with UNAVAILABLE when it comes too slowly or the server holds too many bytes of others.
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
        return await inTime(patienceMs, arrive(c, hold.add))
      } finally {
        hold.release()
      }
    },
  }
}

async function arrive(c: Ctx, add: (count: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  const length = c.req.header('content-length')
  // Asking for the stream would make one of what is otherwise read at once.
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

/** A body that is given up on ends soon after: the listener closes a connection it has answered and not read to the end. */
async function inTime<T>(patienceMs: number, work: Promise<T>): Promise<T> {
  const tooLate = Promise.withResolvers<never>()
  const timer = setTimeout(() => tooLate.reject(new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })), patienceMs)
  try {
    return await Promise.race([work, tooLate.promise])
  } finally {
    clearTimeout(timer)
  }
}
