import type { GarbaEvent } from '@garba/shared/contracts/event'
import { findEvent } from '../store/events.ts'
import type { Deps } from './deps.ts'
import { isNotNow } from './storage.ts'
import { eventView } from './views/event.ts'

/** The event, or null before there is one. */
export function readEvent({ db, settings }: Pick<Deps, 'db' | 'settings'>): GarbaEvent | null {
  const event = findEvent(db)
  return event ? eventView(event, settings.timezone) : null
}

/** The same, and null also while the database cannot answer: a page without its event is better than none. */
export function readEventIfPossible(deps: Deps): GarbaEvent | null {
  try {
    return readEvent(deps)
  } catch (error) {
    if (!isNotNow(error)) throw error
    deps.log.error({ err: error }, 'a page was sent without the event')
    return null
  }
}
