import type { FieldError } from '@garba/shared/contracts/common'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { AUDIT } from '@garba/shared/messages/audit'
import { EVENT_FORM } from '@garba/shared/messages/eventForm'
import { dayOf } from '@garba/shared/rules/calendar'
import { type EventInput, parseEventForm } from '@garba/shared/rules/eventForm'
import { toPaise } from '@garba/shared/rules/money'
import { Refusal } from '../refusal.ts'
import { findEvent, insertEvent, updateEvent } from '../store/events.ts'
import { newId } from '../store/ids.ts'
import { keepOnlyImage, putImage } from '../store/images.ts'
import type { Sql } from '../store/sql.ts'
import { audited } from './audited.ts'
import { type Caller, type Deps, inTransaction } from './deps.ts'
import { type GivenImage, givenImage, requireStored } from './eventImage.ts'
import { eventAsForm, eventView } from './views/event.ts'

interface Saving {
  user: Caller
  /** The body as it came; SPEC section 5's rules check it. */
  input: unknown
}

const invalid = (errors: FieldError[]): Refusal =>
  new Refusal('VALIDATION_FAILED', { message: EVENT_FORM.fixErrors, errors })

function checked({ db, settings }: Deps, input: unknown, now: Date): EventInput {
  const form = parseEventForm(input, { today: dayOf(now, settings.timezone), savedDate: findEvent(db)?.date })
  if (!form.ok) throw invalid(form.errors)
  return form.value
}

const columnsOf = (form: EventInput) => ({
  name: form.name,
  venue: form.venue,
  description: form.description,
  date: form.date,
  startTime: form.startTime,
  endTime: form.endTime,
  ticketPricePaise: toPaise(form.ticketPrice),
  groupPricePaise: toPaise(form.groupPrice4),
  totalTickets: form.totalTickets,
  features: form.features,
  aboutText: form.aboutText,
})

function storedHash(tx: Sql, given: GivenImage): string | null {
  if (given.type === 'none') return null
  if (given.type === 'fresh') {
    putImage(tx, given.image)
    return given.image.hash
  }
  requireStored(tx, given.hash)
  return given.hash
}

/** Creates the event. Refuses with VALIDATION_FAILED or EVENT_EXISTS (DECISIONS 2). */
export function createEvent(deps: Deps, { user, input }: Saving): GarbaEvent {
  const now = deps.now()
  const form = checked(deps, input, now)
  const image = givenImage(form.eventImage, now)
  return inTransaction(deps, (tx) => {
    if (findEvent(tx)) throw new Refusal('EVENT_EXISTS')
    const imageHash = storedHash(tx, image)
    const made = insertEvent(tx, { id: newId(now), ...columnsOf(form), imageHash, createdAt: now, updatedAt: now })
    const view = eventView(made, deps.settings.timezone)
    audited(tx, {
      at: now,
      action: 'event.created',
      actor: user,
      subject: { id: made.id, name: made.name },
      detail: AUDIT.eventCreated(view),
    })
    return view
  })
}

/**
 * Changes the event. Refuses with VALIDATION_FAILED, also on totalTickets below what is active or used, or with
 * EVENT_NOT_FOUND (DECISIONS 2).
 */
export function changeEvent(deps: Deps, { user, input }: Saving): GarbaEvent {
  const now = deps.now()
  const form = checked(deps, input, now)
  const image = givenImage(form.eventImage, now)
  const event = inTransaction(deps, (tx) => {
    const before = findEvent(tx)
    if (!before) throw new Refusal('EVENT_NOT_FOUND')
    if (form.totalTickets < before.takenSeats)
      throw invalid([{ field: 'totalTickets', message: EVENT_FORM.totalBelowSold(before.takenSeats) }])
    const imageHash = storedHash(tx, image)
    const saved = updateEvent(tx, before.id, { ...columnsOf(form), imageHash, updatedAt: now })
    if (!saved) throw new Refusal('EVENT_NOT_FOUND')
    keepOnlyImage(tx, imageHash)
    const view = eventView(saved, deps.settings.timezone)
    const detail = AUDIT.event(eventAsForm(before), view)
    audited(tx, { at: now, action: 'event.updated', actor: user, subject: { id: saved.id, name: saved.name }, detail })
    return view
  })
  deps.changes.publish('roster')
  return event
}
