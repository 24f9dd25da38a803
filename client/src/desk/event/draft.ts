import { local } from '../../platform/store/local.ts'
import { type EventValues, FIELDS } from './values.ts'

const KEY = 'garba.event-draft'
/** Local storage holds about 5 MB in all: a picture larger than this is left out of the draft. */
const IMAGE_MAX_CHARS = 1_500_000

export const hasDraft = (): boolean => local.read(KEY) !== null

/**
 * What was typed and not yet saved, kept on this device over reloads and a session that ends; null where there is none.
 * A field the draft does not hold is as it is in `saved`: unchanged, or a picture too large for it.
 */
export function readDraft(saved: EventValues): EventValues | null {
  const kept = local.read(KEY)
  if (kept === null) return null
  try {
    const given: Partial<Record<string, unknown>> = JSON.parse(kept)
    const values = { ...saved }
    for (const field of FIELDS) {
      const value = given[field]
      if (typeof value === 'string') values[field] = value
    }
    return values
  } catch (error) {
    console.warn('A kept draft of the event is not readable', error)
    local.write(KEY, null)
    return null
  }
}

/** Keeps the changed fields alone: what another admin saves in the meantime must not be taken back by the rest. */
export function keepDraft(values: EventValues, saved: EventValues): void {
  const changed = FIELDS.filter((field) => values[field] !== saved[field]).filter(
    (field) => field !== 'eventImage' || values.eventImage.length <= IMAGE_MAX_CHARS,
  )
  local.write(KEY, JSON.stringify(Object.fromEntries(changed.map((field) => [field, values[field]]))))
}

export const dropDraft = (): void => local.write(KEY, null)

export const sameValues = (a: EventValues, b: EventValues): boolean => FIELDS.every((field) => a[field] === b[field])
