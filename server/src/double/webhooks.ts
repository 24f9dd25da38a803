import { createHmac, randomUUID } from 'node:crypto'
import type { Chance } from './faults.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const LATE_BY_AT_MOST = 600 * SECOND
const FIRST_RETRY = 10 * SECOND
const LONGEST_WAIT = HOUR
const GIVE_UP = 24 * HOUR

interface Delivery {
  id: string
  body: string
  since: number
  dueAt: number
  tries: number
}

interface WebhookOptions {
  secret: string
  /** Delivers one; true if it was answered with 2xx. */
  send: (request: { body: string; headers: Record<string, string> }) => Promise<boolean>
  now: () => Date
  chance: Chance
}

export type Webhooks = ReturnType<typeof makeWebhooks>

/** Delivers each event at least once: retried with growing waits, and given up after a day. */
export function makeWebhooks({ secret, send, now, chance }: WebhookOptions) {
  let waiting: Delivery[] = []
  const clock = () => now().getTime()

  async function attempt(delivery: Delivery): Promise<boolean> {
    if (chance.strikes('lostEvent')) return false
    const { id, body } = delivery
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const headers = {
      'content-type': 'application/json',
      'x-razorpay-signature': signature,
      'x-razorpay-event-id': id,
    }
    const received = await send({ body, headers }).catch(() => false)
    if (received && chance.strikes('duplicateEvent')) await send({ body, headers }).catch(() => false)
    return received
  }

  return {
    add(event: unknown): void {
      const late = chance.strikes('delayedEvent') ? chance.random() * LATE_BY_AT_MOST : 0
      waiting.push({
        id: randomUUID(),
        body: JSON.stringify(event),
        since: clock(),
        dueAt: clock() + late,
        tries: 0,
      })
    },
    /** Tries everything due, once. */
    async deliver(): Promise<void> {
      const at = clock()
      const due = waiting.filter(({ dueAt }) => dueAt <= at).sort((one, other) => one.dueAt - other.dueAt)
      waiting = waiting.filter(({ dueAt }) => dueAt > at)
      for (const delivery of due) {
        if (await attempt(delivery)) continue
        const wait = Math.min(FIRST_RETRY * 2 ** delivery.tries, LONGEST_WAIT)
        const next = { ...delivery, tries: delivery.tries + 1, dueAt: clock() + wait }
        if (next.dueAt - next.since <= GIVE_UP) waiting.push(next)
      }
    },
    waiting: () => waiting.length,
  }
}
