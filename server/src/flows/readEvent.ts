import type { GarbaEvent } from '@garba/shared/contracts/event'
import { findEvent } from '../store/events.ts'
import type { Deps } from './deps.ts'
import { eventView } from './views/event.ts'

/** The event, or null before there is one. */
export async function readEvent({ store, settings }: Pick<Deps, 'store' | 'settings'>): Promise<GarbaEvent | null> {
  const event = await store.read(findEvent)
  return event ? eventView(event, settings.timezone) : null
}

/**
 * The same for a page's link preview, and null also when the event cannot be read: a page without its preview is better
 * than none, and the desk must open to repair the event. The app asks the API, which reports the failure.
 */
export async function readEventIfPossible(deps: Deps): Promise<GarbaEvent | null> {
  try {
    return await readEvent(deps)
  } catch (error) {
    deps.log.error({ err: error }, 'a page was sent without the event')
    return null
  }
}
