import { Refusal } from '../refusal.ts'
import { type Ctx, isWhole } from './context.ts'

const KB = 1024
const MB = KB * KB

/** The kinds of bodies. Each has its own budget, so that a flood of one kind never holds up another. */
export type BodyKind = 'caller' | 'signIn' | 'pairing' | 'report' | 'webhook' | 'other'

/** Bytes that bodies in progress may hold: all of one kind together, and those of each source. */
interface Budget {
  all: number
  each: number
}

export interface BodyBounds {
  budgets: Record<BodyKind, Budget>
  pauseMs: number
  /** Milliseconds within which a whole body must arrive. */
  patienceMs: number
}

/**
 * A stranger's body has at most 64 KB. A signed-in person's share fits an event with the largest picture, or the
 * batches of ten phones on one account. `patienceMs` is twice the client's own timeout.
 */
export const BOUNDS: BodyBounds = {
  budgets: {
    caller: { all: 48 * MB, each: 16 * MB },
    signIn: { all: 4 * MB, each: MB },
    pairing: { all: 4 * MB, each: MB },
    report: { all: 8 * MB, each: 2 * MB },
    webhook: { all: 8 * MB, each: 2 * MB },
    other: { all: 8 * MB, each: 2 * MB },
  },
  pauseMs: 10_000,
  patienceMs: 30_000,
}

/** A body in progress costs this much before its first byte, because its connection takes memory too. */
const CONNECTION_BYTES = KB

export interface Bodies {
  /**
   * Reads a request's body. Refuses with PAYLOAD_TOO_LARGE above `max` bytes, at most another MB of it read, and with
   * UNAVAILABLE when it arrives too slowly or has to make room for newer bodies.
   */
  read: (c: Ctx, reading: { max: number; kind: BodyKind; source: string }) => Promise<Uint8Array<ArrayBuffer>>
}

export function makeBodies({ budgets, pauseMs, patienceMs }: BodyBounds = BOUNDS): Bodies {
  const ledgers = Object.fromEntries(
    Object.entries(budgets).map(([kind, budget]) => [kind, makeLedger(budget)]),
  ) as Record<BodyKind, Ledger>
  return {
    read: async (c, { max, kind, source }) => {
      if (Number(c.req.header('content-length') ?? 0) > max) throw await tooLarge(c)
      // A body that has fully arrived needs no budget.
      if (isWhole(c)) return withinLimit(new Uint8Array(await c.req.arrayBuffer()), max)
      const { promise: gaveUp, reject } = Promise.withResolvers<never>()
      const giveUp = () => reject(new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 }))
      const hold = ledgers[kind].begin(source, giveUp)
      const timers = [setTimeout(giveUp, patienceMs), setTimeout(giveUp, pauseMs)] as const
      const arrived = (count: number) => {
        timers[1].refresh()
        hold.add(count)
      }
      try {
        // An abandoned body ends soon: the listener closes a connection answered before its body was read.
        return await Promise.race([arrive(c, { max, arrived }), gaveUp])
      } finally {
        for (const timer of timers) clearTimeout(timer)
        hold.release()
      }
    },
  }
}

const withinLimit = (body: Uint8Array<ArrayBuffer>, max: number): Uint8Array<ArrayBuffer> => {
  if (body.length > max) throw new Refusal('PAYLOAD_TOO_LARGE')
  return body
}

const READ_ON_BYTES = MB
const READ_ON_MS = 1_000

/**
 * Reads on for a while, so that a proxy that still sends the body gets our answer instead of a broken connection, which
 * it would report as its own error. A body that nobody has begun to read flows on after that, so that the listener can
 * empty the connection.
 */
async function tooLarge(c: Ctx, reader?: ReadableStreamDefaultReader<Uint8Array>): Promise<Refusal> {
  const { promise: enough, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, READ_ON_MS, undefined)
  let length = 0
  const { incoming } = c.env ?? {}
  if (reader) {
    try {
      while (length < READ_ON_BYTES) {
        const part = await Promise.race([reader.read(), enough])
        if (!part?.value) break
        length += part.value.length
      }
    } catch {
      // The sender has hung up.
    }
  } else if (incoming && !incoming.complete) {
    const count = (part: Buffer) => {
      length += part.length
      if (length >= READ_ON_BYTES) resolve(undefined)
    }
    incoming.on('data', count).once('close', resolve).once('end', resolve).once('error', resolve)
    await enough
  }
  clearTimeout(timer)
  return new Refusal('PAYLOAD_TOO_LARGE')
}

interface BodyArrival {
  max: number
  arrived: (count: number) => void
}

async function arrive(c: Ctx, { max, arrived }: BodyArrival): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = c.req.raw.body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    length += part.value.length
    if (length > max) throw await tooLarge(c, reader)
    arrived(part.value.length)
    chunks.push(part.value)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

interface Share {
  bytes: number
  holds: Set<Hold>
}

interface Hold {
  bytes: number
  giveUp: () => void
}

interface Ledger {
  begin: (source: string, giveUp: () => void) => { add: (count: number) => void; release: () => void }
}

/**
 * Counts the bytes of one kind of body as they arrive. When a source has used up its share, its own oldest body makes
 * room; when the whole budget is used up, the oldest body of the largest source does. So a source that holds bodies
 * back ends only its own.
 */
function makeLedger({ all, each }: Budget): Ledger {
  const shares = new Map<string, Share>()
  let held = 0
  const count = (share: Share, hold: Hold, bytes: number) => {
    hold.bytes += bytes
    share.bytes += bytes
    held += bytes
  }
  const end = (share: Share, hold: Hold) => {
    if (share.holds.delete(hold)) count(share, hold, -hold.bytes)
  }
  const endOldest = (share: Share) => {
    const [oldest] = share.holds
    if (!oldest) throw new RangeError('Bytes are held by no body')
    end(share, oldest)
    oldest.giveUp()
  }
  const largest = () => [...shares.values()].reduce((most, share) => (share.bytes > most.bytes ? share : most))

  return {
    begin: (source, giveUp) => {
      const share = shares.get(source) ?? { bytes: 0, holds: new Set() }
      shares.set(source, share)
      const hold: Hold = { bytes: 0, giveUp }
      share.holds.add(hold)
      const add = (bytes: number) => {
        // This body has already made room for another one.
        if (!share.holds.has(hold)) return
        count(share, hold, bytes)
        while (share.bytes > each) endOldest(share)
        while (held > all) endOldest(largest())
      }
      add(CONNECTION_BYTES)
      return {
        add,
        release: () => {
          end(share, hold)
          if (share.holds.size === 0 && shares.get(source) === share) shares.delete(source)
        },
      }
    },
  }
}
