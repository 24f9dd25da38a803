import { TICKET_ID_SHOWN } from '@garba/shared/constants'
import type { RosterEntry } from '@garba/shared/contracts/phones/scan'
import { fold } from '@garba/shared/rules/search'

const NAME_LETTERS_MIN = 2
const SHOWN_MAX = 30

/** An entry with its search text, computed once for each state of the list. */
export interface Findable {
  entry: RosterEntry
  name: string
}

export const findableOf = (entries: Iterable<RosterEntry>): Findable[] =>
  Array.from(entries, (entry) => ({ entry, name: ` ${fold(entry.name)}` })).filter(
    ({ entry }) => entry.status !== 'deleted',
  )

/** Letters that Crockford's alphabet omits because they are misread, mapped to what they are mistaken for. */
const asIdCharacters = (text: string): string =>
  text.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0')

const ORDER = { active: 0, used: 1, cancelled: 2, deleted: 3 } as const

export interface Found {
  entries: RosterEntry[]
  /** There are more matches than shown. */
  more: boolean
}

/**
 * Tickets by the last 8 characters of their id, or by name: every word typed begins a word of the name, accents and case
 * ignored, from two letters on. Those that can be let in come first.
 */
export function findTickets(list: readonly Findable[], typed: string): Found {
  const tail = asIdCharacters(typed)
  const byTail = tail.length === TICKET_ID_SHOWN ? list.filter(({ entry }) => entry.id.endsWith(tail)) : []
  const hits = byTail.length > 0 ? byTail : byName(list, fold(typed))
  const sorted = hits.toSorted(
    (a, b) =>
      ORDER[a.entry.status] - ORDER[b.entry.status] ||
      a.name.localeCompare(b.name) ||
      (a.entry.id < b.entry.id ? -1 : 1),
  )
  return { entries: sorted.slice(0, SHOWN_MAX).map(({ entry }) => entry), more: sorted.length > SHOWN_MAX }
}

function byName(list: readonly Findable[], folded: string): readonly Findable[] {
  if ([...folded].length < NAME_LETTERS_MIN) return []
  const words = folded.split(' ').map((word) => ` ${word}`)
  return list.filter(({ name }) => words.every((word) => name.includes(word)))
}
