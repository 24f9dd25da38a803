import type { CallInput } from '@garba/shared/calls/calls'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { PromoCode, ShownPromoCode } from '@garba/shared/contracts/types/promoCode'
import { PROMO_AUDIT } from '@garba/shared/messages/audit'
import { CODE_FORM, TYPE_FORM } from '@garba/shared/messages/eventForm'
import { isCodeFor, normalizePromoCode } from '@garba/shared/rules/types/promoCodes'
import type { TicketType } from '@garba/shared/rules/types/ticketTypes'
import { orRefuse, wrongField } from '../../refusal.ts'
import { newId } from '../../store/engine/sql.ts'
import { findEvent } from '../../store/events.ts'
import {
  hasUsableCode,
  insertPromoCode,
  listPromoCodes,
  type PromoCodeRow,
  pausePromoCode,
} from '../../store/promoCodes.ts'
import { auditChange } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { eventView } from '../event/readEvent.ts'
import { buildOffers } from '../event/ticketTypes.ts'
import { requirePromoCode, termsOf } from './saleLines.ts'

interface OfferedEvent {
  data: GarbaEvent | null
  code?: ShownPromoCode
}

/** The event with its types; hidden ones only with their access code. Refuses with CODE_UNKNOWN. */
export const readOfferedEvent = (deps: Deps, typed: string | undefined): Promise<OfferedEvent> =>
  deps.store.read(async (tx) => {
    const event = await findEvent(tx)
    const now = deps.now()
    const offer = async (shows?: (type: TicketType) => boolean): Promise<GarbaEvent | null> =>
      event
        ? {
            ...eventView(event, deps.settings.timezone),
            types: await buildOffers(deps, tx, event, { shows }),
            ...((await hasUsableCode(tx, event.id, now)) && { hasCodes: true }),
          }
        : null
    if (typed === undefined) return { data: await offer() }
    const code = await requirePromoCode(tx, { id: event?.id ?? '' }, { typed, now })
    const terms = termsOf(code)
    const { kind, value, types } = terms
    return {
      data: await offer((type) => kind === 'access' && isCodeFor(terms, type)),
      code: { code: code.code, kind, value, types: types === null ? null : [...types] },
    }
  })

const codeView = (row: PromoCodeRow): PromoCode => {
  const { kind, value, types } = termsOf(row)
  return {
    id: row.id,
    code: row.code,
    kind,
    value,
    types: types === null ? null : [...types],
    until: row.until?.toISOString() ?? null,
    tickets: row.tickets,
    perPerson: row.perPerson,
    note: row.note,
    paused: row.paused,
    used: row.used,
    createdBy: row.createdByName,
    createdAt: row.createdAt.toISOString(),
  }
}

export const makePromoCode = (
  deps: Deps,
  { admin, ...made }: CallInput<'makePromoCode'> & { admin: Caller },
): Promise<PromoCode> =>
  deps.store.write(async (tx) => {
    const event = orRefuse(await findEvent(tx), 'EVENT_NOT_FOUND')
    const known = new Set(event.types.map(({ id }) => id))
    if (made.types?.some((id) => !known.has(id))) throw wrongField('types', TYPE_FORM.unknownType)
    const createdAt = deps.now()
    if (made.until && new Date(made.until) <= createdAt) throw wrongField('until', CODE_FORM.untilPast)
    const row: PromoCodeRow = {
      id: newId(createdAt),
      eventId: event.id,
      code: made.code,
      compared: normalizePromoCode(made.code),
      kind: made.kind,
      valueHundredths: made.kind === 'access' ? null : Math.round((made.value ?? 0) * 100),
      typeIds: made.types ?? null,
      until: made.until ? new Date(made.until) : null,
      tickets: made.tickets ?? null,
      perPerson: made.perPerson ?? null,
      note: made.note,
      paused: false,
      used: 0,
      createdById: admin.id,
      createdByName: admin.name,
      createdAt,
    }
    if (!(await insertPromoCode(tx, row))) throw wrongField('code', CODE_FORM.exists)
    const subject = { id: row.id, name: row.code, eventId: event.id }
    const detail = PROMO_AUDIT.made(codeView(row))
    await auditChange(tx, { at: createdAt, action: 'code.made', actor: admin, subject, detail })
    return codeView(row)
  })

export const listCodes = ({ store }: Pick<Deps, 'store'>): Promise<PromoCode[]> =>
  store.read(async (tx) => {
    const event = await findEvent(tx)
    return event ? (await listPromoCodes(tx, event.id)).map(codeView) : []
  })

/** A paused code is unknown to guests; what was bought with it stays. */
export const changePromoCode = (
  deps: Deps,
  { admin, id, paused }: CallInput<'changePromoCode'> & { admin: Caller; id: string },
): Promise<PromoCode> =>
  deps.store.write(async (tx) => {
    const row = orRefuse(await pausePromoCode(tx, id, paused), 'CODE_UNKNOWN')
    const subject = { id, name: row.code, eventId: row.eventId }
    const detail = PROMO_AUDIT.paused(paused)
    await auditChange(tx, { at: deps.now(), action: 'code.changed', actor: admin, subject, detail })
    return codeView(row)
  })
