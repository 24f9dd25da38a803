import type { RosterAnswer, RosterEntry } from '@garba/shared/contracts/scan'
import type { LocalAdmission, RosterMeta } from '../../platform/store/scannerSchema.ts'
import { epochNow } from '../core/epoch.ts'
import { read, write } from './scannerStore.ts'

export interface StoredRoster {
  meta: RosterMeta | null
  entries: RosterEntry[]
  admitted: LocalAdmission[]
}

/** The stored roster, read in one transaction. Throws StorageFailure. */
export function readRoster(): Promise<StoredRoster> {
  return read(async (db) => {
    const tx = db.transaction(['roster', 'meta', 'admitted'])
    const [entries, meta, admitted] = await Promise.all([
      tx.objectStore('roster').getAll(),
      tx.objectStore('meta').get('roster'),
      tx.objectStore('admitted').getAll(),
    ])
    return { entries, admitted, meta: meta?.key === 'roster' ? meta : null }
  })
}

interface Applied {
  answer: Pick<RosterAnswer, 'revision' | 'full' | 'keys' | 'event' | 'tickets' | 'gates' | 'people'>
  /** Device time in ms when it was requested. */
  askedAt: number
  /** The whole list with the answer applied, if an earlier change is missing here; null if the answer is enough. */
  whole: Iterable<RosterEntry> | null
}

/**
 * Lays an answer over the kept roster in one transaction: all of it or none. An answer older than what another tab has
 * written meanwhile changes nothing. Throws StorageFailure.
 */
export async function applyToStore({ answer, askedAt, whole }: Applied): Promise<void> {
  const { revision, full, keys, event, tickets, gates = [], people } = answer
  const epoch = epochNow()
  await write(['roster', 'meta'], async (tx) => {
    const meta = tx.objectStore('meta')
    const before = await meta.get('roster')
    if (!full && before?.key === 'roster' && before.revision > revision) return
    const roster = tx.objectStore('roster')
    if (full || whole !== null) await roster.clear()
    // Not one by one: twelve thousand round trips would be seconds.
    await Promise.all(Array.from(whole ?? tickets, (entry) => roster.put(entry)))
    await meta.put({
      key: 'roster',
      revision,
      keys,
      event,
      gates,
      ...(people === undefined ? {} : { people }),
      syncedAt: askedAt,
      epoch,
    })
  })
}

/** The server has reported these since they were settled, so its version is newer. */
export async function forgetAdmissions(ticketIds: readonly string[]): Promise<void> {
  if (ticketIds.length === 0) return
  await write(['admitted'], async (tx) => {
    for (const id of ticketIds) {
      const admission = await tx.objectStore('admitted').get(id)
      if (admission && admission.settledAt !== null) await tx.objectStore('admitted').delete(id)
    }
  })
}
