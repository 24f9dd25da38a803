import type { Slice } from '../store/sql.ts'

/** A page as asked for; both from 1. */
export interface PageQuery {
  page: number
  limit: number
}

export const sliceOf = ({ page, limit }: PageQuery): Slice => ({ limit, offset: (page - 1) * limit })

/** Where a page stands: total = pages, count = rows on this page (DECISIONS 2); no rows make no pages. */
export const pageOf = ({ page, limit }: PageQuery, { rows, shown }: { rows: number; shown: number }) => ({
  current: page,
  total: Math.ceil(rows / limit),
  count: shown,
})
