import type { RosterAnswer, RosterEntry } from '../../contracts/phones/scan.ts'

export type Roster = ReadonlyMap<string, RosterEntry>

/**
 * SHA-256 in hex over the lines `id:status`, sorted by id, without tombstones: two rosters with the same digest refuse
 * and admit the same tickets. A readiness check compares the device's digest with the server's.
 */
export async function rosterDigest(entries: Iterable<Pick<RosterEntry, 'id' | 'status'>>): Promise<string> {
  const lines = Array.from(entries)
    .filter(({ status }) => status !== 'deleted')
    .map(({ id, status }) => `${id}:${status}`)
    .sort()
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(lines.join('\n')))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The roster after an answer of the server, as a new map: a full answer replaces it, a delta is merged into it.
 * Tombstones stay, because a deleted ticket must be refused while an unlisted one may be a late sale. The server does
 * not know unsent scans, so the caller applies them to the result.
 */
export function rosterApply(roster: Roster, answer: Pick<RosterAnswer, 'full' | 'tickets'>): Map<string, RosterEntry> {
  const next = new Map(answer.full ? [] : roster)
  for (const entry of answer.tickets) next.set(entry.id, entry)
  return next
}
