import { PAGE_DATA_ID, type PageData } from '@garba/shared/contracts/site'

let page: PageData | null | undefined

/**
 * What the server rendered this page from; null in the bare shell, which the worker caches and the dashboards start from.
 * Stores take their first state from it, so that hydration matches what the server rendered.
 */
export function pageData(): PageData | null {
  page ??= readPage()
  return page
}

/** For the server, which renders one page after another with the same stores. */
export const renderFrom = (data: PageData): void => {
  page = data
}

function readPage(): PageData | null {
  if (typeof document === 'undefined') return null
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  // Our own server wrote it into this very document.
  return text ? (JSON.parse(text) as PageData) : null
}
