import type { Sort } from '@garba/shared/contracts/common'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { createContext, type ReactNode, use } from 'react'
import { useSearchParams } from 'react-router'
import { cx } from '../../kit/cx.ts'
import { Th } from '../../kit/Table.tsx'
import styles from './TableView.module.css'
import { useUrlChange } from './tableUrl.ts'

interface Sorting {
  /** The column and direction of the address; '' is the list's own order, newest first. */
  sort: string
  setSort: (sort: string) => void
}

/** The order of a table lives in the URL like its page; an unknown column counts as none. */
export function useSorting<C extends string>(columns: readonly C[]): Sorting & { sort: Sort<C> | '' } {
  const [params] = useSearchParams()
  const set = useUrlChange()
  const given = params.get('sort') ?? ''
  const known = columns.flatMap((column): Sort<C>[] => [column, `-${column}`])
  return {
    sort: known.find((value) => value === given) ?? '',
    setSort: (sort) => set({ sort, page: '' }),
  }
}

const Current = createContext<Sorting | null>(null)

/** Gives the headings of a table its order. */
export const SortingProvider = Current

interface SortThProps {
  column: string
  numeric?: boolean
  /** This column's newest rows come first when nothing is sorted. */
  newest?: boolean
  /** Before the button: the box that selects all rows. */
  before?: ReactNode
  children: ReactNode
}

/** A heading that sorts the rows: up, then down, then as they were. Without a sorting around it, a plain heading. */
export const SortTh = ({ column, numeric = false, newest = false, before, children }: SortThProps) => {
  const sorting = use(Current)
  if (sorting === null) return <Th numeric={numeric}>{children}</Th>
  const { sort, setSort } = sorting
  const isUp = sort === column
  const isDown = sort === `-${column}` || (sort === '' && newest)
  const next = isUp ? `-${column}` : sort === `-${column}` ? '' : column
  const Arrow = isDown ? ArrowDown : ArrowUp
  return (
    <Th numeric={numeric} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}>
      <span className={styles.sortCell}>
        {before}
        <button type="button" className={cx(styles.sort, numeric && styles.numeric)} onClick={() => setSort(next)}>
          <span>{children}</span>
          <Arrow aria-hidden="true" className={isUp || isDown ? styles.sorted : undefined} />
        </button>
      </span>
    </Th>
  )
}
