import { DEFAULT_EVENT_TITLE } from '@garba/shared/constants'
import { useEffect } from 'react'
import { useConfig } from './config.ts'

/**
 * Names the page in the tab while the calling screen is shown, as "My Tickets · Garba Rass 2025"; null is the event's title
 * alone. Each screen calls it once, the innermost view where views are nested.
 */
export function usePageTitle(title: string | null): void {
  const event = useConfig(({ config }) => config?.eventTitle ?? DEFAULT_EVENT_TITLE)
  useEffect(() => {
    document.title = title === null ? event : `${title} · ${event}`
  }, [title, event])
}
