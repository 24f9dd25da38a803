import { PAGE_SIZE } from '@garba/shared/constants'
import type { UseQueryResult } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Ellipsis, ListFilter, SearchX, X } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useId, useState } from 'react'
import { EmptyState } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { cx } from '../../kit/cx.ts'
import { Checkbox, TextField } from '../../kit/Field.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { Select } from '../../kit/Select.tsx'
import { SkeletonRows } from '../../kit/Skeleton.tsx'
import { TAKES_CODES } from '../../platform/keys/scannerKeys.ts'
import { DESK } from '../texts/desk.ts'
import { DeskFrame, RefreshButton } from './DeskFrame.tsx'
import { LoadFailure } from './LoadedCard.tsx'
import styles from './TableView.module.css'
import { SortingProvider, type TableUrl, truncateSearchText } from './tableUrl.tsx'

interface Words {
  caption: string
  search: string
  searchHint: string
  matches: (n: number) => string
  loading: string
  empty: string
  emptySearch: string
  emptyAll: string
  clear: string
}

export interface Page {
  pagination: { current: number; total: number; count: number }
}

interface TableViewProps<D extends Page, F extends string> {
  title: string
  byEvent?: boolean
  words: Words
  url: TableUrl<F>
  query: UseQueryResult<D>
  failed: (reason: string) => string
  rowsIn: (data: D) => number
  filter: { label: string; options: readonly { value: F | ''; label: string }[] }
  moreFilters?: ReactNode
  takesCodes?: boolean
  actions?: ReactNode
  /** The one action that a phone shows too; the others are in its menu. */
  primary?: ReactNode
  notice?: ReactNode
  children: (data: D) => ReactNode
  overlays?: ReactNode
}

export function TableView<D extends Page, F extends string>(view: TableViewProps<D, F>) {
  const { words, url, query, failed, rowsIn, filter, moreFilters } = view
  const { data } = query
  const many = moreFilters !== undefined
  // Only for phones, because elsewhere filters and actions are always visible. Filters in use start unfolded.
  const [unfolded, setUnfolded] = useState(url.isNarrowed)
  const [isMenuOpen, setMenuOpen] = useState(false)
  return (
    <DeskFrame
      title={view.title}
      byEvent={view.byEvent ?? false}
      filters={
        <search className={cx(styles.filters, many && styles.many, !unfolded && styles.folded)}>
          <SearchBox words={words} url={url} takesCodes={view.takesCodes ?? false} />
          <p role="status" className={styles.matches}>
            {data ? words.matches(rowsIn(data)) : null}
          </p>
          <Button
            size="sm"
            className={styles.unfold ?? ''}
            icon={<ListFilter />}
            aria-expanded={unfolded}
            onClick={() => setUnfolded(!unfolded)}
          >
            {url.isNarrowed ? DESK.filters.on : DESK.filters.action}
          </Button>
          <IconButton
            outlined
            className={styles.unfold ?? ''}
            label={DESK.filters.more}
            icon={<Ellipsis />}
            aria-expanded={isMenuOpen}
            onClick={() => setMenuOpen(!isMenuOpen)}
          />
          <Select
            label={filter.label}
            hideLabel
            value={url.filter}
            options={filter.options}
            onChange={url.setFilter}
            className={styles.filter ?? ''}
          />
          {moreFilters}
        </search>
      }
      actions={
        <>
          <div className={cx(styles.actions, !isMenuOpen && styles.closed)}>
            <RefreshButton query={query} />
            {view.actions}
          </div>
          {view.primary === undefined ? null : <div className={styles.primary}>{view.primary}</div>}
        </>
      }
    >
      {view.notice}
      <LoadFailure {...{ query, failed }} />
      {query.isPending ? <SkeletonRows label={words.loading} /> : null}
      {data && rowsIn(data) === 0 ? <NoRows words={words} url={url} /> : null}
      {data && data.pagination.count > 0 ? (
        <div data-unfolded={unfolded}>
          <SortingProvider value={url.sorting}>{view.children(data)}</SortingProvider>
        </div>
      ) : null}
      {data ? <TablePages label={words.caption} pagination={data.pagination} of={rowsIn(data)} url={url} /> : null}
      {view.overlays}
    </DeskFrame>
  )
}

const NoRows = ({ words, url }: { words: Words; url: Pick<TableUrl<string>, 'isFiltered' | 'reset'> }) => (
  <EmptyState
    level={2}
    title={words.empty}
    icon={<SearchX />}
    action={url.isFiltered ? <Button onClick={url.reset}>{words.clear}</Button> : null}
  >
    {url.isFiltered ? words.emptySearch : words.emptyAll}
  </EmptyState>
)

interface TablePagesProps extends Page {
  label: string
  of: number
  url: Pick<TableUrl<string>, 'page' | 'setPage' | 'stayWithin'>
}

/** A page that does not exist (rows were deleted, or the link is old) becomes the last page. */
const TablePages = ({ label, pagination, of, url }: TablePagesProps) => {
  const { page, setPage, stayWithin } = url
  const { current, total, count } = pagination
  useEffect(() => {
    if (current === page && count === 0 && page > 1) stayWithin(Math.max(1, total))
  }, [current, count, page, total, stayWithin])
  if (count === 0 || total === 1) return null
  const go = (next: number) => {
    setPage(next)
    window.scrollTo({ top: 0, behavior: 'instant' })
  }
  const [isFirst, isLast] = [current <= 1, current >= total]
  return (
    <nav className={styles.nav} aria-label={`${label} pages`}>
      <p className="soft">{formatRowRange({ ...pagination, of, size: PAGE_SIZE })}</p>
      <div className={styles.steps}>
        <Button
          size="sm"
          tone={isFirst ? 'ghost' : 'secondary'}
          icon={<ChevronLeft />}
          disabled={isFirst}
          onClick={() => go(current - 1)}
        >
          Previous
        </Button>
        <p className="soft" aria-live="polite">
          Page {current} of {total}
        </p>
        <Button
          size="sm"
          tone={isLast ? 'ghost' : 'secondary'}
          iconAfter={<ChevronRight />}
          disabled={isLast}
          onClick={() => go(current + 1)}
        >
          Next
        </Button>
        {total > 2 ? <GoToPage pages={total} onPage={go} /> : null}
      </div>
    </nav>
  )
}

const TYPING_PAUSE_MS = 300

interface SearchBoxProps {
  words: Words
  url: Pick<TableUrl<string>, 'search' | 'setSearch'>
  takesCodes: boolean
}

const SearchBox = ({ words, url, takesCodes }: SearchBoxProps) => {
  const { search: value } = url
  const [typed, setTyped] = useState(value)
  const search = useEffectEvent(url.setSearch)
  const [sent, setSent] = useState(value)
  const [current, setCurrent] = useState(value)
  if (value !== current) {
    setCurrent(value)
    // The box follows a change from outside (Back, "clear"). Its own search coming back must not undo later typing.
    if (value !== sent) {
      setSent(value)
      setTyped(value)
    }
  }
  useEffect(() => {
    const text = truncateSearchText(typed.trim())
    if (text === value) return
    const timer = setTimeout(() => {
      setSent(text)
      search(text)
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, value])
  return (
    <TextField
      label={words.search}
      hideLabel
      type="search"
      autoComplete="off"
      placeholder={words.searchHint}
      {...(takesCodes ? TAKES_CODES : {})}
      value={typed}
      onType={setTyped}
    />
  )
}

/** "21-40 of 5,000": a page's rows out of all; `size` is the number of rows on a full page. */
export function formatRowRange({ current, count, size, of }: Record<'current' | 'count' | 'size' | 'of', number>) {
  const from = (current - 1) * size + 1
  return DESK.rows({ from, to: from + count - 1, of })
}

interface SelectionBarProps {
  summary: string
  clearLabel: string
  onClear: () => void
  children: ReactNode
}

export const SelectionBar = ({ summary, clearLabel, onClear, children }: SelectionBarProps) => (
  <div className={styles.selection}>
    <p role="status" className={styles.summary}>
      {summary}
    </p>
    <div className="wrap-2">
      {children}
      <Button size="sm" tone="ghost" icon={<X />} onClick={onClear}>
        {clearLabel}
      </Button>
    </div>
  </div>
)

interface SelectAllProps<Row> {
  label: string
  rows: readonly Row[]
  selected: ReadonlyMap<string, Row>
  onSelect: (rows: readonly Row[], on: boolean) => void
}

export const SelectAll = <Row extends { _id: string }>({ label, rows, selected, onSelect }: SelectAllProps<Row>) => (
  <Checkbox
    label={label}
    hideLabel
    checked={rows.length > 0 && rows.every(({ _id }) => selected.has(_id))}
    onCheck={(on) => onSelect(rows, on)}
  />
)

/** The selected rows, by id. Kept across pages, so that one action can cover rows of several. */
export function useSelection<Row extends { _id: string }>() {
  const [rows, setRows] = useState<ReadonlyMap<string, Row>>(new Map())
  const toggle = useCallback((changed: readonly Row[], on: boolean) => {
    setRows((before) => {
      const next = new Map(before)
      for (const row of changed) {
        if (on) next.set(row._id, row)
        else next.delete(row._id)
      }
      return next
    })
  }, [])
  const clear = useCallback(() => setRows(new Map()), [])
  return { rows, toggle, clear }
}

const GoToPage = ({ pages, onPage }: { pages: number; onPage: (page: number) => void }) => {
  const id = useId()
  return (
    <form
      className={styles.go}
      onSubmit={(event) => {
        event.preventDefault()
        const number = Math.trunc(Number(new FormData(event.currentTarget).get('page')))
        event.currentTarget.reset()
        if (number >= 1) onPage(Math.min(number, pages))
      }}
    >
      <label htmlFor={id}>Go to page</label>
      <input
        id={id}
        name="page"
        className={styles.page}
        inputMode="numeric"
        pattern="[0-9]*"
        maxLength={6}
        autoComplete="off"
        enterKeyHint="go"
      />
    </form>
  )
}
