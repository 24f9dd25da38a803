import { DESK } from '@garba/shared/messages/desk'

interface Rows {
  /** The page, from 1. */
  current: number
  /** Rows on it. */
  count: number
  /** Rows on a full page. */
  size: number
  /** Rows in all. */
  of: number
}

/** "21-40 of 5,000". */
export function rowsTold({ current, count, size, of }: Rows): string {
  const from = (current - 1) * size + 1
  return DESK.rows({ from, to: from + count - 1, of })
}
