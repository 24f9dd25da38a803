import { DEFAULT_EVENT_TITLE } from '@garba/shared/constants'
import { PAGE_DATA_ID } from '@garba/shared/contracts/site/pages'
import type { PageData } from '@garba/shared/contracts/site/site'
import { useEffect } from 'react'
import { useConfig } from './config.ts'
import { call } from './http/call.ts'

/** Id of the main landmark: target of the skip link and of the focus on a new page. */
export const MAIN_ID = 'content'

/**
 * Sets the tab's title while the calling screen is shown, such as "My Tickets · Garba Rass 2025"; null for the event's
 * title alone. Each screen calls it once; with nested views, the innermost one does.
 */
export function usePageTitle(title: string | null): void {
  const event = useConfig(({ config }) => config?.eventTitle ?? DEFAULT_EVENT_TITLE)
  useEffect(() => {
    document.title = title === null ? event : `${title} · ${event}`
  }, [title, event])
}

let page: PageData | null | undefined

/**
 * The data from which the server rendered this page; null in the bare shell, which the worker caches and the dashboards
 * start from. Stores take their first state from it, so that hydration matches the server's page.
 */
export function pageData(): PageData | null {
  page ??= readPage()
  return page
}

/** The server calls it before each page, because it renders all pages with the same stores. */
export const renderFrom = (data: PageData): void => {
  page = data
}

function readPage(): PageData | null {
  if (typeof document === 'undefined') return null
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  // Not checked, because our own server wrote the data into this document.
  return text ? (JSON.parse(text) as PageData) : null
}

const MAX = { message: 2_000, stack: 16_000, name: 200, url: 2_048, userAgent: 512 }

/** Reports a crash of the page; the answer is ignored and nothing is thrown. (Spec: Calls and transport.) */
export function reportCrash(error: unknown, errorInfo?: unknown): void {
  const { message, stack, name } = error instanceof Error ? error : new Error(String(error))
  call('logError', {
    body: {
      error: {
        message: message.slice(0, MAX.message),
        name: name.slice(0, MAX.name),
        ...(stack === undefined ? {} : { stack: stack.slice(0, MAX.stack) }),
      },
      errorInfo,
      timestamp: new Date().toISOString(),
      url: location.href.slice(0, MAX.url),
      userAgent: navigator.userAgent.slice(0, MAX.userAgent),
    },
    retries: 0,
    keepalive: true,
  }).catch((failed: unknown) => console.info('The crash was not reported', failed))
}
