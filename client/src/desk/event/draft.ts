import { EVENT_FORM_FIELDS, type EventFormField, type GarbaEvent, type Notice } from '@garba/shared/contracts/event'
import { userNow } from '../../platform/identity/session.ts'
import { eventDraft } from '../../platform/store/local.ts'

/** The form as typed: every field is text; the image is a data URL, a stored image's address or ''. */
export type EventValues = Record<EventFormField, string>

const buildValues = (textOf: (field: EventFormField) => string): EventValues =>
  Object.fromEntries(EVENT_FORM_FIELDS.map((field) => [field, textOf(field)])) as EventValues

export const NO_EVENT: EventValues = buildValues(() => '')

/** A box is 'true', or '' as long as it is not ticked. */
function toFieldText(value: GarbaEvent[EventFormField]): string {
  if (typeof value === 'boolean') return value ? 'true' : ''
  return Array.isArray(value) ? value.join(', ') : String(value ?? '')
}

export const toEventValues = (event: GarbaEvent): EventValues => buildValues((field) => toFieldText(event[field]))

/** The values with which the form of the next event begins. What belongs to the last one's day or picture is left out. */
export const nextValuesOf = (last: GarbaEvent | undefined): EventValues =>
  last === undefined
    ? NO_EVENT
    : { ...toEventValues(last), date: '', eventImage: '', salesFrom: '', salesUntil: '', paused: '', reentryUntil: '' }

/** Local storage holds about 5 MB in total: a picture larger than this is left out of the draft. */
const IMAGE_MAX_CHARS = 1_500_000

export interface Draft {
  values: EventValues
  lacksPicture: boolean
  message: Notice | null
}

export const fitsDraft = (image: string): boolean => image.length <= IMAGE_MAX_CHARS

export type EventId = string | null

interface KeptDraft extends Omit<Draft, 'values'> {
  by: string
  event: EventId
  changed: Partial<EventValues>
}

/** A draft belongs to one event, and the current event may be another by now. */
function ownDraft(event: EventId): KeptDraft | null {
  const kept = eventDraft.read<KeptDraft>()
  // A session that ended leaves its draft behind, and the next user of this device may be someone else.
  return kept !== null && kept.by === userNow()?._id && kept.event === event ? kept : null
}

export const hasDraft = (event: EventId): boolean => ownDraft(event) !== null

/**
 * This user's unsaved input about an event, kept on this device across reloads and lost sessions; null if there is none. A field
 * that the draft lacks is as in `saved`: unchanged, or a picture too large for the draft.
 */
export function readDraft(saved: EventValues, event: EventId): Draft | null {
  const kept = ownDraft(event)
  if (kept === null) return null
  const { changed, lacksPicture, message } = kept
  return { values: { ...saved, ...changed }, lacksPicture, message }
}

/**
 * Keeps only the changed fields, so that the rest cannot undo what another admin saves in the meantime. Nothing is kept once
 * the user is gone: the form closes after a sign-out has removed the draft.
 */
export function keepDraft(
  values: EventValues,
  { saved, event, message = null }: { saved: EventValues; event: EventId; message?: Notice | null },
): void {
  const by = userNow()?._id
  if (by === undefined) return
  const lacksPicture = !fitsDraft(values.eventImage)
  const changed = EVENT_FORM_FIELDS.filter((field) => values[field] !== saved[field]).filter(
    (field) => field !== 'eventImage' || !lacksPicture,
  )
  const texts = Object.fromEntries(changed.map((field) => [field, values[field]]))
  eventDraft.write({ by, event, lacksPicture, message, changed: texts } satisfies KeptDraft)
}

export const dropDraft = (): void => eventDraft.drop()

export const sameValues = (a: EventValues, b: EventValues): boolean =>
  EVENT_FORM_FIELDS.every((field) => a[field] === b[field])
