import { CACHE_EVENT_MS } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { PageData } from '@garba/shared/contracts/site/site'
import { isEventChanged } from '@garba/shared/rules/event/evening'
import { create } from 'zustand'
import { callServer } from '../http/call.ts'
import { pageData } from '../pageData.ts'
import { local } from './local.ts'

const KEY = 'garba.event'

/** `none`: the server has no event, or has never been reached (then fallback values are shown). */
export type CurrentEvent = { type: 'asking' } | { type: 'known'; event: GarbaEvent } | { type: 'none' }

const toCurrentEvent = (event: GarbaEvent | null): CurrentEvent => (event ? { type: 'known', event } : { type: 'none' })

/**
 * The landing page's only read. It is separate from the dashboards' query cache because that library alone is 13 kB
 * (gzip) of a first load that may have 120.
 */
export const useCurrentEvent = create<{ current: CurrentEvent }>(() => {
  const seen = local.readJson<GarbaEvent>(KEY)
  const first: CurrentEvent = seen ? toCurrentEvent(seen) : { type: 'asking' }
  let rendered: { page: PageData; current: CurrentEvent } | null = null
  return {
    // A getter, because the server renders many pages with one store. React needs the same object at each read.
    get current() {
      const page = pageData()
      if (page === null) return first
      if (rendered?.page !== page) rendered = { page, current: toCurrentEvent(page.event) }
      return rendered.current
    },
  }
})

export const hasChangedEvent = ({ current }: { current: CurrentEvent }): boolean =>
  current.type === 'known' && isEventChanged(current.event)

let askedAt = Number.NEGATIVE_INFINITY

const ASK_AGAIN_MS = 15_000
let again: ReturnType<typeof setTimeout> | undefined

export function rereadCurrentEvent(): Promise<void> {
  askedAt = Number.NEGATIVE_INFINITY
  return refreshCurrentEvent()
}

/**
 * Fetches the event unless the last answer is younger than 3 minutes. Without an answer the last known event stays, and it is
 * asked again a little later.
 */
export async function refreshCurrentEvent(): Promise<void> {
  // By the time of day: performance.now() stands still while a phone or laptop sleeps.
  if (Math.abs(Date.now() - askedAt) < CACHE_EVENT_MS) return
  askedAt = Date.now()
  try {
    const { data } = await callServer('event')
    local.writeJson(KEY, data)
    useCurrentEvent.setState({ current: toCurrentEvent(data) })
  } catch (error) {
    console.info('The event was not read', error)
    askedAt = Number.NEGATIVE_INFINITY
    clearTimeout(again)
    again = setTimeout(refreshCurrentEvent, ASK_AGAIN_MS)
    useCurrentEvent.setState(({ current }) => ({ current: current.type === 'asking' ? { type: 'none' } : current }))
  }
}
