import type { SaleState } from '@garba/shared/contracts/site/site'
import type { DeskTicketType, TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { findOnlineSale } from '@garba/shared/rules/event/evening'
import { toPaise, toRupees } from '@garba/shared/rules/money'
import {
  countLeft,
  countRemaining,
  findPhase,
  findTypeState,
  type TicketType,
  type TypePhase,
} from '@garba/shared/rules/types/ticketTypes'
import { findChangeProblem, typeAsForm } from '@garba/shared/rules/types/typesForm'
import { wrongField } from '../../refusal.ts'
import { newId, type ReadTx } from '../../store/engine/sql.ts'
import { type EventRow, findEvent } from '../../store/events.ts'
import { typesWithTickets } from '../../store/soldTypes.ts'
import { readTypeSeats } from '../../store/typeSeats.ts'
import type { Deps } from '../deps.ts'
import { onlineSaleView } from './readEvent.ts'

const OVER: ReadonlySet<SaleState> = new Set<SaleState>(['over', 'ended', 'calledOff'])

interface OfferOptions {
  shows?: ((type: TicketType) => boolean) | undefined
  /** The desk and phones sell whether guests can buy online now or not. */
  byHand?: boolean
}

export async function buildOffers(
  { now, settings }: Pick<Deps, 'now' | 'settings'>,
  tx: ReadTx,
  event: EventRow,
  { shows = () => false, byHand = false }: OfferOptions = {},
): Promise<TicketTypeOffer[]> {
  const at = now().getTime()
  const sale = byHand ? 'open' : findOnlineSale(onlineSaleView(event, settings.timezone), at)
  const seatsOf = await readTypeSeats(tx, event)
  const free = event.totalTickets - event.takenSeats
  return event.types
    .filter((type) => !type.hidden || shows(type))
    .map((type) => {
      const seats = seatsOf(type.id)
      const phase = findPhase(type, { seats, now: at })
      const remaining = countRemaining(type, { taken: seats.taken, free })
      const own = findTypeState(type, { now: at, remaining, isOver: OVER.has(sale) })
      const isOpen = own === 'onSale' || own === 'soldOut'
      return {
        id: type.id,
        name: type.name,
        note: type.note,
        price: toRupees(phase.pricePaise),
        groupPrice: toRupees(phase.groupPaise),
        phase: {
          until: phase.until === null ? null : new Date(phase.until).toISOString(),
          left: countLeft(phase, { seats, type }),
        },
        remaining,
        state: isOpen && sale === 'notYet' ? 'soon' : isOpen && sale === 'paused' ? 'paused' : own,
        admits: type.admits,
        maxPerOrder: type.maxPerOrder,
        ...(type.hidden && { hidden: true }),
      }
    })
}

export const readDeskTypes = (deps: Deps): Promise<{ types: DeskTicketType[]; offers: TicketTypeOffer[] }> =>
  deps.store.read(async (tx) => {
    const event = await findEvent(tx)
    if (!event) return { types: [], offers: [] }
    const seatsOf = await readTypeSeats(tx, event)
    return {
      types: event.types.map((type) => typeAsForm(type, seatsOf(type.id))),
      offers: await buildOffers(deps, tx, event, { shows: () => true, byHand: true }),
    }
  })

interface EventPrices {
  ticketPrice: number
  groupPrice4: number
}

const getLastPhase = ([first]: readonly TicketType[]): TypePhase | undefined => first?.phases.at(-1)

/** The prices of an event are those of its first type's last phase. */
export function findTypePrices(types: readonly TicketType[] | null): Partial<EventPrices> {
  const last = types === null ? undefined : getLastPhase(types)
  return last ? { ticketPrice: toRupees(last.pricePaise), groupPrice4: toRupees(last.groupPaise) } : {}
}

/** Types that were not sent stay as they are, but for the prices of the event. */
export const repriceFirst = (types: readonly TicketType[], prices: EventPrices): TicketType[] =>
  types.map((type, at) => {
    if (at > 0) return type
    const last = { pricePaise: toPaise(prices.ticketPrice), groupPaise: toPaise(prices.groupPrice4) }
    return { ...type, phases: [...type.phases.slice(0, -1), { ...last, until: null, sold: null }] }
  })

/** For a new event: types of an earlier one may be sent again. */
export const renewTypes = (types: readonly TicketType[], now: Date): TicketType[] =>
  types.map((type) => ({ ...type, id: newId(now) }))

/** Refuses types that are not the event's, and changes that what was sold does not allow. */
export async function requireTypesChange(
  tx: ReadTx,
  before: EventRow,
  { after, unknown }: { after: readonly TicketType[]; unknown: string | null },
): Promise<void> {
  if (unknown !== null) throw wrongField('types', unknown)
  const seatsOf = await readTypeSeats(tx, before)
  const taken = new Map(before.types.map(({ id }) => [id, seatsOf(id).taken]))
  const problem = findChangeProblem({ before: before.types, after, taken, sold: await typesWithTickets(tx, before.id) })
  if (problem !== null) throw wrongField('types', problem)
}
