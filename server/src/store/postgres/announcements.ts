import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Change, type Changes, makeChanges } from '../engine/store.ts'
import { optionsOf } from './connection.ts'

const CHANNEL = 'garba_changes'
const LISTEN_AGAIN_MS = 2_000
const POLL_MS = 2_000

export interface Announcements {
  changes: Changes
  /** The SQL that notifies every server, sent with the commit. */
  notice: (changes: ReadonlySet<Change>) => string
  stop: () => Promise<void>
}

/**
 * Reports what any server of a database commits. One connection listens, and is made again when it breaks. Notices may
 * not arrive, as through a pooler that shares connections, so the roster's revision is polled as well.
 */
export function listenTo(url: string, revision: () => Promise<number>): Announcements {
  /** A server publishes its own changes at once, without waiting for its notices. */
  const self = randomUUID()
  const changes = makeChanges()
  const stopped = new AbortController()
  const listening = keepListening(url, stopped.signal, {
    onListen: () => changes.publish('roster', 'evening', 'access'),
    onNotice: (payload) => {
      const [sender, ...names] = payload.split(',')
      if (sender !== self) changes.publish(...(names as Change[]))
    },
  })
  const poll = lookAgain(revision, () => changes.publish('roster', 'evening'))
  return {
    changes,
    notice: (names) => `notify ${CHANNEL}, '${[self, ...names].join()}'`,
    stop: async () => {
      stopped.abort()
      clearInterval(poll)
      await listening
    },
  }
}

interface Ears {
  /** Listening has begun, perhaps after a gap in which something was missed. */
  onListen: () => void
  onNotice: (payload: string) => void
}

async function keepListening(url: string, stopped: AbortSignal, { onListen, onNotice }: Ears): Promise<void> {
  const over = new Promise<void>((resolve) => stopped.addEventListener('abort', () => resolve()))
  while (!stopped.aborted) {
    const client = new pg.Client(optionsOf(url))
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
    // The connection ends as well.
    client.on('error', () => undefined)
    client.on('notification', ({ payload = '' }) => onNotice(payload))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      onListen()
      await Promise.race([ended, over])
    } catch {
      // The loop below tries again.
    }
    await client.end().catch(() => undefined)
    if (!stopped.aborted) await Promise.race([over, pause()])
  }
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, LISTEN_AGAIN_MS).unref())

/** Calls back whenever the revision has changed since the last look. */
function lookAgain(revision: () => Promise<number>, onChange: () => void): NodeJS.Timeout {
  let last: number | undefined
  let looking = false
  const look = async () => {
    if (looking) return
    looking = true
    try {
      const now = await revision()
      if (last !== undefined && now !== last) onChange()
      last = now
    } catch {
      // The database is away; the next look is in two seconds.
    } finally {
      looking = false
    }
  }
  return setInterval(() => void look(), POLL_MS).unref()
}
