import { local } from '../../platform/store/local.ts'
import { type EventValues, FIELDS } from './values.ts'

const KEY = 'garba.event-draft'
/** Local storage holds about 5 MB in all: a picture larger than this is left out of the draft. */
const IMAGE_MAX_CHARS = 1_500_000

export const hasDraft = (): boolean => local.read(KEY) !== null

/**
 * What was typed and not yet saved, kept on this device over reloads and a session that ends; null where there is none.
 * A field the draft does not hold, as a picture too large for it, is as it is in `saved`.
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

export function keepDraft(values: EventValues): void {
  const { eventImage, ...texts } = values
  local.write(KEY, JSON.stringify(eventImage.length > IMAGE_MAX_CHARS ? texts : values))
}

export const dropDraft = (): void => local.write(KEY, null)

export const sameValues = (a: EventValues, b: EventValues): boolean => FIELDS.every((field) => a[field] === b[field])
