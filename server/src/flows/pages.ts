import type { Slice } from '../store/sql.ts'

/** The requested page; both count from 1. */
export interface PageQuery {
  page: number
  limit: number
}

export const sliceOf = ({ page, limit }: PageQuery): Slice => ({ limit, offset: (page - 1) * limit })

/** Position of a page: `total` pages and `count` rows on this page. Without rows, `total` is 0. */
export const pageOf = ({ page, limit }: PageQuery, { rows, shown }: { rows: number; shown: number }) => ({
  current: page,
  total: Math.ceil(rows / limit),
  count: shown,
})
