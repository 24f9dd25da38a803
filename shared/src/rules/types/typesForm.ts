import type { FieldError } from '../../contracts/common.ts'
import { type DeskTicketType, type TypesInput, typesInputSchema } from '../../contracts/types/ticketType.ts'
import { TYPE_FORM as SAY } from '../../messages/eventForm.ts'
import { toPaise, toRupees } from '../money.ts'
import type { TicketType, TypePhase, TypeSeats } from './ticketTypes.ts'

type TypeInput = TypesInput[number]

const toMillis = (moment: string | null | undefined): number | null => (moment ? Date.parse(moment) : null)
const toIso = (millis: number | null): string | null => (millis === null ? null : new Date(millis).toISOString())

function findPhaseProblem(phases: readonly TypePhase[]): string | null {
  const ends = phases.slice(0, -1)
  if (ends.some(({ until, sold }) => until === null && sold === null)) return SAY.openPhase
  const last = phases.at(-1)
  if (last && (last.until !== null || last.sold !== null)) return SAY.lastPhase
  for (const end of ['until', 'sold'] as const) {
    const values = ends.flatMap((phase) => phase[end] ?? [])
    if (values.some((value, at) => at > 0 && value <= (values[at - 1] ?? 0))) return SAY.phaseOrder
  }
  return null
}

function findTypeProblem({ from, until, phases }: TicketType): string | null {
  if (from !== null && until !== null && from >= until) return SAY.untilBeforeFrom
  return findPhaseProblem(phases)
}

const readType = ({ id, name, ...type }: TypeInput, makeId: () => string): TicketType => ({
  id: id ?? makeId(),
  name: { en: name.en, ...(name.gu ? { gu: name.gu } : {}), ...(name.hi ? { hi: name.hi } : {}) },
  note: type.note || null,
  seats: type.seats ?? null,
  from: toMillis(type.from),
  until: toMillis(type.until),
  maxPerOrder: type.maxPerOrder ?? null,
  paused: type.paused ?? false,
  hidden: type.hidden ?? false,
  admits: type.admits ?? 1,
  phases: type.phases.map(({ price, groupPrice, until, sold }) => ({
    pricePaise: toPaise(price),
    groupPaise: toPaise(groupPrice ?? price),
    until: toMillis(until),
    sold: sold ?? null,
  })),
})

type ReadTypes = { ok: true; types: TicketType[] } | { ok: false; errors: FieldError[] }

const refuse = (message: string): ReadTypes => ({ ok: false, errors: [{ field: 'types', message }] })

/** Checks sent types of any shape; never throws. Types without an id are new and get one from `makeId`. */
export function parseTypes(input: unknown, makeId: () => string): ReadTypes {
  const result = typesInputSchema.safeParse(input, { jitless: true })
  if (!result.success) {
    const [{ path, message } = { path: [], message: SAY.types }] = result.error.issues
    return refuse(typeof path[0] === 'number' && path.length > 1 ? `${nameOf(input, path[0])}: ${message}` : message)
  }
  const types = result.data.map((type) => readType(type, makeId))
  const ids = result.data.flatMap(({ id }) => id ?? [])
  if (new Set(ids).size !== ids.length) return refuse(SAY.typeTwice)
  for (const type of types) {
    const problem = findTypeProblem(type)
    if (problem) return refuse(`${type.name.en}: ${problem}`)
  }
  return { ok: true, types }
}

function nameOf(input: unknown, at: number): string {
  const name = (input as { name?: { en?: unknown } }[])[at]?.name?.en
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : `Type ${at + 1}`
}

export const typeAsForm = (type: TicketType, { taken }: Pick<TypeSeats, 'taken'>): DeskTicketType => ({
  ...type,
  taken,
  from: toIso(type.from),
  until: toIso(type.until),
  phases: type.phases.map(({ pricePaise, groupPaise, until, sold }) => ({
    price: toRupees(pricePaise),
    groupPrice: toRupees(groupPaise),
    until: toIso(until),
    sold,
  })),
})

interface TypesChange {
  before: readonly TicketType[]
  after: readonly TicketType[]
  taken: ReadonlyMap<string, number>
  sold: ReadonlySet<string>
}

/** Why the types of an event with sold tickets cannot change so, or null. */
export function findChangeProblem({ before, after, taken, sold }: TypesChange): string | null {
  const known = new Map(before.map((type) => [type.id, type]))
  const kept = new Set(after.map(({ id }) => id))
  for (const { id, name } of before)
    if (!kept.has(id) && (sold.has(id) || (taken.get(id) ?? 0) > 0)) return SAY.stillSold(name.en)
  for (const { id, name, seats, admits } of after) {
    const own = taken.get(id) ?? 0
    if (seats !== null && seats < own) return SAY.belowTaken(name.en, own)
    if (own > 0 && admits !== known.get(id)?.admits) return SAY.admitsFixed(name.en)
  }
  return null
}
