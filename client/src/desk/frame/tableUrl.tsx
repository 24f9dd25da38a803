import { PAGE_MAX, SEARCH_MAX } from '@garba/shared/constants'
import type { Sort } from '@garba/shared/contracts/common'
import { truncateText } from '@garba/shared/rules/search'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { createContext, type ReactNode, use, useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { cx } from '../../kit/cx.ts'
import { Th } from '../../kit/Table.tsx'
import styles from './TableView.module.css'

export interface TableUrl<F extends string> {
  page: number
  search: string
  filter: F | ''
  setPage: (page: number) => void
  /** Replaces a page that no longer exists by the last page, in the history too. */
  stayWithin: (last: number) => void
  /** Both go back to page 1. Typing replaces the history entry, so that Back leaves the search in one step. */
  setSearch: (search: string) => void
  setFilter: (filter: F | '') => void
  isFiltered: boolean
  isNarrowed: boolean
  reset: () => void
  sorting: TableSort
}

export const filterOptions = <V extends string>(
  all: string,
  values: readonly V[],
  labels: Readonly<Record<V, string>>,
) => [{ value: '' as const, label: all }, ...values.map((value) => ({ value, label: labels[value] }))]

export const truncateSearchText = (text: string): string => truncateText(SEARCH_MAX, text)

type Change = (changes: Record<string, string>, replace?: boolean) => void

/** Changes some parameters of the URL; an empty value removes its parameter. */
export function useUrlChange(): Change {
  const [, setParams] = useSearchParams()
  return useCallback(
    (changes, replace = false) => {
      // Read from the address itself, because the rendered address is outdated when a second change follows at once.
      const next = new URLSearchParams(window.location.search)
      for (const [name, value] of Object.entries(changes)) {
        if (value === '') next.delete(name)
        else next.set(name, value)
      }
      setParams(next, { replace, preventScrollReset: true })
    },
    [setParams],
  )
}

export function useUrlChoice<V extends string>(name: string, known: readonly V[]): [V | '', (value: V | '') => void] {
  const [params] = useSearchParams()
  const set = useUrlChange()
  const given = params.get(name)
  return [known.find((value) => value === given) ?? '', (value) => set({ [name]: value, page: '' })]
}

const ID = /^[0-9A-Z]{26}$/

/** An id in the address, such as that of a ticket type; '' if there is none. */
export function useUrlId(name: string): [string, (id: string) => void] {
  const [params] = useSearchParams()
  const set = useUrlChange()
  const given = params.get(name) ?? ''
  return [ID.test(given) ? given : '', (id) => set({ [name]: id, page: '' })]
}

interface TableOptions<F extends string, C extends string> {
  filter: string
  values: readonly F[]
  more?: readonly string[]
  /** The columns that can be sorted by; an unknown column in the address counts as none. */
  sorts: readonly C[]
}

export function useTableUrl<F extends string, C extends string>({
  filter: filterName,
  values,
  more = [],
  sorts,
}: TableOptions<F, C>): TableUrl<F> & { sort: Sort<C> | '' } {
  const [params] = useSearchParams()
  const set = useUrlChange()
  const given = params.get(filterName)
  const page = Number(params.get('page'))
  const filters = [filterName, ...more]
  const isSet = (name: string) => (params.get(name) ?? '') !== ''
  const order = params.get('sort') ?? ''
  const sort = sorts.flatMap((column): Sort<C>[] => [column, `-${column}`]).find((value) => value === order) ?? ''
  const stayWithin = useCallback((last: number) => set({ page: last === 1 ? '' : String(last) }, true), [set])
  return {
    stayWithin,
    page: Number.isInteger(page) && page > 0 ? Math.min(page, PAGE_MAX) : 1,
    search: truncateSearchText(params.get('search') ?? ''),
    filter: values.find((value) => value === given) ?? '',
    sort,
    sorting: { sort, setSort: (next) => set({ sort: next, page: '' }) },
    setPage: (next) => set({ page: next === 1 ? '' : String(next) }),
    setSearch: (search) => set({ search, page: '' }, true),
    setFilter: (filter) => set({ [filterName]: filter, page: '' }),
    isFiltered: isSet('search') || filters.some(isSet),
    isNarrowed: filters.some(isSet),
    reset: () => set(Object.fromEntries(['search', 'page', ...filters].map((name) => [name, '']))),
  }
}

interface TableSort {
  /** The column and direction of the address; '' is the list's own order, newest first. */
  sort: string
  setSort: (sort: string) => void
}

const Current = createContext<TableSort>({ sort: '', setSort: () => undefined })

export const SortingProvider = Current

interface SortThProps {
  column: string
  numeric?: boolean
  newest?: boolean
  before?: ReactNode
  children: ReactNode
}

export const SortTh = ({ column, numeric = false, newest = false, before, children }: SortThProps) => {
  const { sort, setSort } = use(Current)
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
          <Arrow className={isUp || isDown ? styles.sorted : undefined} />
        </button>
      </span>
    </Th>
  )
}
