import { DEFAULT_EVENT_TITLE } from '@garba/shared/constants'
import { useEffect } from 'react'
import { useConfig } from './config.ts'

export const MAIN_ID = 'content'

/**
 * Sets the tab's title while the calling screen is shown, such as "My Tickets · Garba Rass 2025"; null for the event's
 * title alone. Each screen calls it once; with nested views, the innermost view does.
 */
export function usePageTitle(title: string | null): void {
  const event = useConfig(({ config }) => config?.eventTitle ?? DEFAULT_EVENT_TITLE)
  useEffect(() => {
    document.title = title === null ? event : `${title} · ${event}`
  }, [title, event])
}
