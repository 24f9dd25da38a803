import type { EveningFigures } from '@garba/shared/contracts/desk'
import type { EveningRegister } from '@garba/shared/contracts/register'

export interface WitnessedPassage {
  id: string
  at: number
  isExit: boolean
}

/**
 * What each passage with one ticket was, by following them in the order of their times; at one time, out before in
 * again. `nobody`: an exit although nobody was inside. It shares no code with the rule that the server follows.
 */
export function judgePassages(passages: readonly WitnessedPassage[]) {
  const left = passages.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  const kinds = new Map<string, 'first' | 'return' | 'double' | 'exit' | 'nobody'>()
  let [inside, hasCome] = [0, false]
  for (let [first] = left; first !== undefined; [first] = left) {
    const { at } = first
    const next = left.find((one) => one.at === at && one.isExit === inside > 0) ?? first
    left.splice(left.indexOf(next), 1)
    if (next.isExit) kinds.set(next.id, inside > 0 ? 'exit' : 'nobody')
    else kinds.set(next.id, inside > 0 ? 'double' : hasCome ? 'return' : 'first')
    hasCome ||= !next.isExit
    inside = Math.max(0, inside + (next.isExit ? -1 : 1))
  }
  return kinds
}

/** People in, out and counted by gate; null stands for no gate. */
export class GateTally {
  #gates = new Map<string | null, { in: number; out: number; counted: number }>()

  add(gate: string | null, what: 'in' | 'out' | 'counted', count = 1): void {
    const known = this.#gates.get(gate) ?? { in: 0, out: 0, counted: 0 }
    known[what] += count
    this.#gates.set(gate, known)
  }

  /** What Evening and the register say of each gate, beside this tally. */
  compare({ gates, inside }: EveningFigures, { rows }: EveningRegister): Record<string, readonly [number, number]> {
    const said: Record<string, readonly [number, number]> = {}
    let total = 0
    for (const [gate, own] of this.#gates) {
      const now = own.in - own.out + own.counted
      total += now
      const shown = gates.find(({ name, none }) => (gate === null ? none : name === gate && !none))
      const minutes = rows.filter((row) => row.gate === gate)
      const name = gate ?? 'no gate'
      said[`people inside by ${name}`] = [shown?.inside ?? 0, now]
      said[`people who left by ${name}`] = [shown?.left ?? 0, own.out]
      said[`people inside by ${name} in the register`] = [minutes.at(-1)?.inside ?? 0, now]
      for (const what of ['in', 'out', 'counted'] as const)
        said[`people ${what} by ${name} in the register`] = [
          minutes.reduce((sum, row) => sum + row[what], 0),
          own[what],
        ]
    }
    const all = Math.max(0, total)
    return {
      ...said,
      'people inside': [Math.min(inside.high, Math.max(inside.low, all)), all],
      'people inside in the register': [rows.at(-1)?.insideInAll ?? 0, total],
    }
  }
}

/** A row with `id`, `at` and `exit`. */
export const readPassage = ({ id, at, exit }: Record<string, unknown>): WitnessedPassage => ({
  ...{ id: String(id), at: Number(at), isExit: Number(exit) === 1 },
})

/** What the entries, exits and counts in the tables come to. */
export async function tallyTables(
  sql: (source: string) => Promise<Record<string, unknown>[]>,
  eventId: string,
): Promise<GateTally> {
  const of = `event_id = '${eventId}'`
  const tally = new GateTally()
  const passages = await sql(`
    select ticket_id as ticket, id, gate, at, 0 as exit from scans where outcome <> 'refused' and undone_at is null and ${of}
    union all select ticket_id, id, gate, at, 1 from movements where kind = 'exit' and undone_at is null and ${of}`)
  for (const own of Map.groupBy(passages, ({ ticket }) => ticket).values()) {
    const kinds = judgePassages(own.map(readPassage))
    for (const { id, gate } of own) {
      const kind = kinds.get(String(id))
      if (kind !== 'nobody') tally.add(gate as string | null, kind === 'exit' ? 'out' : 'in')
    }
  }
  for (const { gate, change } of await sql(`select gate, change from movements where kind = 'count' and ${of}`))
    tally.add(gate as string | null, 'counted', Number(change))
  return tally
}
