import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

export interface TableUrl<F extends string> {
  page: number
  search: string
  /** The filter's value, '' for all. */
  filter: F | ''
  setPage: (page: number) => void
  /** The requested page no longer exists: this one replaces it, in the history too. */
  stayWithin: (last: number) => void
  /** Both go back to page 1. Typing replaces the history entry, so that Back leaves the search in one step. */
  setSearch: (search: string) => void
  setFilter: (filter: F | '') => void
  /** Shows all rows again. */
  reset: () => void
}

/** A table's view lives in the URL, so that reload, Back and a shared link show the same rows. */
export function useTableUrl<F extends string>(filterName: string, known: readonly F[]): TableUrl<F> {
  const [params, setParams] = useSearchParams()
  const set = useCallback(
    (changes: Record<string, string>, replace = false) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries(changes)) {
            if (value === '') next.delete(name)
            else next.set(name, value)
          }
          return next
        },
        { replace, preventScrollReset: true },
      ),
    [setParams],
  )
  const given = params.get(filterName)
  const page = Number(params.get('page'))
  const stayWithin = useCallback((last: number) => set({ page: last === 1 ? '' : String(last) }, true), [set])
  return {
    stayWithin,
    page: Number.isInteger(page) && page > 0 ? page : 1,
    search: params.get('search') ?? '',
    filter: known.find((value) => value === given) ?? '',
    setPage: (next) => set({ page: next === 1 ? '' : String(next) }),
    setSearch: (search) => set({ search, page: '' }, true),
    setFilter: (filter) => set({ [filterName]: filter, page: '' }),
    reset: () => set({ [filterName]: '', search: '', page: '' }),
  }
}
