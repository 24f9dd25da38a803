import { PAGE_DATA_ID } from '@garba/shared/contracts/site/pages'
import type { PageData } from '@garba/shared/contracts/site/site'

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
