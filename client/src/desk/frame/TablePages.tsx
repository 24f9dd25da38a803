import { PAGE_SIZE } from '@garba/shared/constants'
import { useEffect } from 'react'
import { Pagination } from '../../kit/Pagination.tsx'
import { rowsTold } from './rowsTold.ts'
import type { TableUrl } from './useTableUrl.ts'

interface TablePagesProps {
  label: string
  /** The answer's: `current` page of `total`, `count` rows on it. */
  pagination: { current: number; total: number; count: number }
  /** Rows in all. */
  of: number
  url: Pick<TableUrl<string>, 'page' | 'setPage' | 'stayWithin'>
}

/** The pages below a table. A page that is no more (its last rows were deleted, an old link) gives way to the last one. */
export const TablePages = ({ label, pagination, of, url }: TablePagesProps) => {
  const { page, setPage, stayWithin } = url
  const { current, total, count } = pagination
  useEffect(() => {
    if (current === page && count === 0 && page > 1) stayWithin(Math.max(1, total))
  }, [current, count, page, total, stayWithin])
  if (count === 0) return null
  return (
    <Pagination
      label={label}
      page={current}
      pages={total}
      onPage={(next) => {
        setPage(next)
        // A new page is read from its top.
        window.scrollTo({ top: 0, behavior: 'instant' })
      }}
      summary={rowsTold({ ...pagination, of, size: PAGE_SIZE })}
    />
  )
}
