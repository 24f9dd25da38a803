import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Change, type Changes, makeChanges } from '../engine/store.ts'
import { buildClientConfig } from './connection.ts'

const CHANNEL = 'garba_changes'
const LISTEN_AGAIN_MS = 2_000
const POLL_MS = 2_000

interface Announcements {
  changes: Changes
  notice: (changes: ReadonlySet<Change>) => string
  stop: () => Promise<void>
}

/**
 * Reports what any server of a database commits. One connection listens, and is made again when it breaks. Notices may
 * not arrive, for example through a pooler that shares connections, so the roster's revision is polled as well.
 */
export function listenTo(url: string, revision: () => Promise<number>): Announcements {
  /** Identifies this server's notices, which it ignores because it has already published its own changes. */
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
  const poll = pollRevision(revision, () => changes.publish('roster', 'evening'))
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

interface Listener {
  /** Called when listening begins, perhaps after a gap in which notices were missed. */
  onListen: () => void
  onNotice: (payload: string) => void
}

async function keepListening(url: string, stopped: AbortSignal, { onListen, onNotice }: Listener): Promise<void> {
  const over = new Promise<void>((resolve) => stopped.addEventListener('abort', () => resolve()))
  while (!stopped.aborted) {
    const client = new pg.Client(buildClientConfig(url))
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
    // A database that hangs never answers the goodbye.
    void client.end().catch(() => undefined)
    if (!stopped.aborted) await Promise.race([over, sleep(LISTEN_AGAIN_MS, undefined, { ref: false })])
  }
}

function pollRevision(revision: () => Promise<number>, onChange: () => void): NodeJS.Timeout {
  let last: number | undefined
  let isChecking = false
  const checkRevision = async () => {
    if (isChecking) return
    isChecking = true
    try {
      const now = await revision()
      if (last !== undefined && now !== last) onChange()
      last = now
    } catch {
      // The database is away; the next look is in two seconds.
    } finally {
      isChecking = false
    }
  }
  return setInterval(() => void checkRevision(), POLL_MS).unref()
}
