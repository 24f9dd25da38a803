import type { GarbaEvent } from '@garba/shared/contracts/event'
import { findEvent } from '../../store/events.ts'
import type { Deps } from '../deps.ts'
import { eventView } from './eventViews.ts'

/** The event, or null if there is none yet. */
export async function readEvent({ store, settings }: Pick<Deps, 'store' | 'settings'>): Promise<GarbaEvent | null> {
  const event = await store.read(findEvent)
  return event ? eventView(event, settings.timezone) : null
}

/**
 * The event for a page's link preview, or null if it cannot be read: a page without a preview is better than no page, and
 * admins need the desk to repair the event. The app itself reads the event from the API, which reports the failure.
 */
export async function readEventIfPossible(deps: Deps): Promise<GarbaEvent | null> {
  try {
    return await readEvent(deps)
  } catch (error) {
    deps.log.error({ err: error }, 'a page was sent without the event')
    return null
  }
}
