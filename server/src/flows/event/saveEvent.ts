import { createHash } from 'node:crypto'
import type { FieldError } from '@garba/shared/contracts/common'
import { type GarbaEvent, type MovedWithEvent, tellHoldersSchema } from '@garba/shared/contracts/event'
import { AUDIT } from '@garba/shared/messages/audit'
import { EVENT_FORM, movedText, TYPE_FORM } from '@garba/shared/messages/eventForm'
import { toLocalDay } from '@garba/shared/rules/event/calendar'
import { type EventInput, parseEventForm } from '@garba/shared/rules/event/eventForm'
import { toPaise } from '@garba/shared/rules/money'
import { hasSeveralTypes, type TicketType } from '@garba/shared/rules/types/ticketTypes'
import { parseTypes } from '@garba/shared/rules/types/typesForm'
import * as z from 'zod'
import { Refusal } from '../../refusal.ts'
import { blocksInPhones } from '../../store/codeBlocks.ts'
import { phonesWithEvent } from '../../store/devices.ts'
import { newId, type WriteTx } from '../../store/engine/sql.ts'
import {
  type EventRow,
  findEvent,
  forgetUnusedImages,
  hasImage,
  type ImageRow,
  type NewEvent,
  putImage,
  updateEvent,
} from '../../store/events.ts'
import { countNotices } from '../../store/jobs.ts'
import { nextRevision } from '../../store/meta.ts'
import { stampTickets } from '../../store/soldTypes.ts'
import { countOpenLinks } from '../../store/ticketLinks.ts'
import { insertEvent, storeTypeSeats } from '../../store/typeSeats.ts'
import { aboutEvent, auditChange } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { type Announcement, queueAnnouncement } from '../money/upkeep/tell.ts'
import { rehearsalName } from '../recovery/rehearsal.ts'
import { eventAsForm, eventView, imageAddress, readTimes } from './readEvent.ts'
import { buildOffers, findTypePrices, renewTypes, repriceFirst, requireTypesChange } from './ticketTypes.ts'

interface EventSaveRequest {
  user: Caller
  input: unknown
}

const invalid = (errors: FieldError[]): Refusal =>
  new Refusal('VALIDATION_FAILED', { message: EVENT_FORM.fixErrors, errors })

interface CheckedForm extends EventInput {
  types: TicketType[] | null
  unknown: string | null
}

const shownTypesSchema = z.array(z.object({ state: z.string(), phases: z.undefined().optional() })).min(1)

/** Types that name an id are the event's own. */
function readTypes(input: unknown, saved: EventRow | undefined, now: Date) {
  const sent = z.object({ types: z.unknown().optional() }).safeParse(input).data?.types
  // An event from an answer, sent back, has types as guests see them, without their phases.
  if (sent === undefined || shownTypesSchema.safeParse(sent).success) return { types: null, errors: [], unknown: null }
  const made = new Set<string>()
  const read = parseTypes(sent, () => {
    const id = newId(now)
    made.add(id)
    return id
  })
  if (!read.ok) return { types: null, errors: read.errors, unknown: null }
  const isStrange = read.types.some(({ id }) => !made.has(id) && !saved?.types.some((type) => type.id === id))
  return { types: read.types, errors: [], unknown: isStrange ? TYPE_FORM.unknownType : null }
}

async function checked({ store, settings }: Deps, input: unknown, now: Date): Promise<CheckedForm> {
  const saved = await store.read(findEvent)
  const { salesFrom, salesUntil, paused, capacity, reentry, reentryUntil } = saved ? eventAsForm(saved) : {}
  // An open page of before these fields sends none of them, and must not end a pause.
  const { types, errors, unknown } = readTypes(input, saved, now)
  const given =
    typeof input === 'object'
      ? { salesFrom, salesUntil, paused, capacity, reentry, reentryUntil, ...input, ...findTypePrices(types) }
      : input
  const form = parseEventForm(given, { today: toLocalDay(now, settings.timezone), savedDate: saved?.date })
  if (!form.ok || errors.length > 0) throw invalid([...(form.ok ? [] : form.errors), ...errors])
  return { ...form.value, types, unknown }
}

/** Refuses with EVENT_CLOSED if the form names an event that is no longer the current one. */
function requireNamed(input: unknown, event: EventRow | undefined): void {
  const named = z.object({ _id: z.string() }).safeParse(input).data?._id
  if (named !== undefined && named !== event?.id) throw new Refusal('EVENT_CLOSED', { message: EVENT_FORM.otherEvent })
}

function parseAnnouncement({ mailer }: Deps, input: unknown): Announcement | null {
  const read = z.object({ tell: tellHoldersSchema.optional() }).safeParse(input)
  if (!read.success) throw invalid([{ field: 'tell', message: read.error.issues[0]?.message ?? '' }])
  const { tell } = read.data
  if (mailer === null || !tell) return null
  return { ...tell, id: `${tell.id}:${createHash('sha256').update(tell.words).digest('hex')}` }
}

/** The columns that the form fills. A new column does not compile until it is filled here or named below. */
type FormColumns = Required<
  Omit<
    NewEvent,
    | 'id'
    | 'takenSeats'
    | 'types'
    | 'imageHash'
    | 'state'
    | 'stateReason'
    | 'stateAt'
    | 'undoUntil'
    | 'stateBefore'
    | 'freeCancelUntil'
    | 'refundsPaused'
    | 'createdAt'
    | 'updatedAt'
    | 'closedAt'
    | 'closedRevision'
    | 'peopleWarnedAt'
    | 'anonymousAt'
  >
>

function toFormColumns(
  { settings }: Deps,
  { eventImage: _, types: __, unknown: ___, ticketPrice, groupPrice4, ...form }: CheckedForm,
): FormColumns {
  // A new field of the form does not compile without a column of its name.
  const sameNames: Pick<FormColumns, keyof typeof form> = form
  return {
    ...sameNames,
    name: settings.rehearsal ? rehearsalName(form.name) : form.name,
    ticketPricePaise: toPaise(ticketPrice),
    groupPricePaise: toPaise(groupPrice4),
  }
}

async function storedHash(tx: WriteTx, given: GivenImage): Promise<string | null> {
  if (given.type === 'none') return null
  if (given.type === 'fresh') {
    await putImage(tx, given.image)
    return given.image.hash
  }
  if (!(await hasImage(tx, given.hash))) throw unusable()
  return given.hash
}

export async function createEvent(deps: Deps, { user, input }: EventSaveRequest): Promise<GarbaEvent> {
  const now = deps.now()
  const form = await checked(deps, input, now)
  const image = givenImage(form.eventImage, now)
  return deps.store.write(async (tx) => {
    tx.announceChanges('roster')
    if (await findEvent(tx)) throw new Refusal('EVENT_EXISTS')
    const imageHash = await storedHash(tx, image)
    const made = await insertEvent(tx, {
      id: newId(now),
      ...toFormColumns(deps, form),
      ...(form.types ? { types: renewTypes(form.types, now) } : {}),
      imageHash,
      createdAt: now,
      updatedAt: now,
    })
    // The new revision gives scanners the new event and its keys.
    await nextRevision(tx)
    const view = { ...eventView(made, deps.settings.timezone), types: await buildOffers(deps, tx, made) }
    const detail = AUDIT.eventCreated(view)
    await auditChange(tx, { at: now, action: 'event.created', actor: user, subject: aboutEvent(made), detail })
    return view
  })
}

/** Changes the event, and tells ticket holders by email if asked to. Saving it without a change leaves no audit row. */
export async function changeEvent(
  deps: Deps,
  { user, input }: EventSaveRequest,
): Promise<{ data: GarbaEvent; moved?: MovedWithEvent }> {
  const now = deps.now()
  requireNamed(input, await deps.store.read(findEvent))
  const form = await checked(deps, input, now)
  const tell = parseAnnouncement(deps, input)
  const image = givenImage(form.eventImage, now)
  return deps.store.write(async (tx) => {
    tx.announceChanges('roster')
    const before = await findEvent(tx)
    requireNamed(input, before)
    if (!before) throw new Refusal('EVENT_NOT_FOUND')
    if (form.totalTickets < before.takenSeats)
      throw invalid([{ field: 'totalTickets', message: EVENT_FORM.totalBelowTaken(before.takenSeats) }])
    const times = await readTimes(deps, tx)
    const imageHash = await storedHash(tx, image)
    const types = form.types ?? repriceFirst(before.types, form)
    await requireTypesChange(tx, before, { after: types, unknown: form.unknown })
    const set = { ...toFormColumns(deps, form), types, imageHash, updatedAt: now }
    const saved = await updateEvent(tx, before.id, set)
    if (!saved) throw new Refusal('EVENT_NOT_FOUND')
    // Phones learn the event with their list.
    await nextRevision(tx)
    await storeTypeSeats(tx, saved, before.types)
    // Phones know the type of a ticket only where there are several.
    if (!hasSeveralTypes(before) && hasSeveralTypes(saved)) await stampTickets(tx, saved.id)
    // More tickets, or a sale that goes on, are first offered to those who wait.
    tx.announceChanges('seats')
    await forgetUnusedImages(tx)
    const { timezone } = deps.settings
    const view = eventView(saved, timezone)
    const isMoved = view.startsAt !== times?.startsAt.toISOString() || view.endsAt !== times.endsAt.toISOString()
    const moved = isMoved ? await moveWithEvent(tx, saved) : undefined
    const changes = [
      AUDIT.event(eventAsForm(before), view, timezone),
      form.types && AUDIT.types(before.types, types),
      moved && movedText(moved),
    ]
      .filter(Boolean)
      .join('; ')
    const isNews = tell !== null && (await queueAnnouncement(tx, { ...tell, eventId: saved.id, now }))
    const detail = isNews ? AUDIT.announced(changes) : changes
    if (detail !== '')
      await auditChange(tx, { at: now, action: 'event.updated', actor: user, subject: aboutEvent(saved), detail })
    const data = { ...view, types: await buildOffers(deps, tx, saved) }
    return { data, ...(moved ? { moved } : {}) }
  })
}

/** Nothing is rewritten: these deadlines are computed from the event. A phone that had ended with it starts again. */
async function moveWithEvent(tx: WriteTx, { id }: EventRow): Promise<MovedWithEvent> {
  tx.announceChanges('evening')
  const phones = new Set(await phonesWithEvent(tx))
  const blocks = (await blocksInPhones(tx)).filter(({ deviceId }) => deviceId !== null && phones.has(deviceId))
  return {
    phones: phones.size,
    blocks: blocks.length,
    links: await countOpenLinks(tx, id),
    notices: await countNotices(tx),
  }
}

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

/** The image type according to the bytes. The claimed type is ignored, also when the image is served. */
function typeOfBytes(bytes: Buffer): string | null {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'image/gif'
  return ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP' ? 'image/webp' : null
}

const unusable = (): Refusal => invalid([{ field: 'eventImage', message: EVENT_FORM.imageFormat }])

/** `stored`: already in the database. `fresh`: to be stored under the SHA-256 of its bytes. */
type GivenImage = { type: 'none' } | { type: 'stored'; hash: string } | { type: 'fresh'; image: ImageRow }

function givenImage(eventImage: string | null, now: Date): GivenImage {
  if (eventImage === null) return { type: 'none' }
  const address = imageAddress('')
  if (eventImage.startsWith(address)) return { type: 'stored', hash: eventImage.slice(address.length) }
  const bytes = Buffer.from(eventImage.slice(eventImage.indexOf(',') + 1), 'base64')
  const type = typeOfBytes(bytes)
  if (!type) throw unusable()
  const hash = createHash('sha256').update(bytes).digest('hex')
  return { type: 'fresh', image: { hash, type, bytes, createdAt: now } }
}
