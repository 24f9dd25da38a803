import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { cx } from './cx.ts'
import styles from './Table.module.css'

interface TableProps {
  caption: string
  head: ReactNode
  children: ReactNode
  busy?: boolean
  bare?: boolean
  list?: boolean
}

/**
 * A dense table with a sticky head and one tab stop for all its controls. On narrow screens each row is a card, or two lines of a
 * list. The roles are written out because browsers drop a table's own when its parts are drawn as blocks.
 */
export const Table = ({ caption, head, children, busy = false, bare = false, list = false }: TableProps) => {
  const table = useRef<HTMLTableElement>(null)
  useOneTabStop(table)
  return (
    <div className={cx(styles.frame, list ? styles.list : styles.cards, bare && styles.bare)}>
      <table
        ref={table}
        // biome-ignore lint/a11y/noRedundantRoles: kept when the rows become cards
        role="table"
        className={styles.table}
        aria-busy={busy || undefined}
      >
        <caption className="spoken">{caption}</caption>
        {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
        <thead role="rowgroup" className={styles.head}>
          {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
          <tr role="row">{head}</tr>
        </thead>
        {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
        <tbody role="rowgroup" className={styles.body}>
          {children}
        </tbody>
      </table>
    </div>
  )
}

const ARROWS = 'The arrow keys move between the controls of this table.'
const CONTROLS = 'a[href], button:not(:disabled), input[type="checkbox"]:not(:disabled)'

/** Tab reaches a table once, at the control used last; arrows, Home and End move on. Alt+Down still opens a select. */
function useOneTabStop(table: RefObject<HTMLTableElement | null>) {
  useEffect(() => {
    const root = table.current
    if (root === null) return
    let stop: HTMLElement | undefined
    let at = { row: 0, column: 0 }
    const updateTabStops = () => {
      const all = listControls(root)
      if (all.length > 1) root.setAttribute('aria-description', ARROWS)
      else root.removeAttribute('aria-description')
      // When a row is removed, the next row takes its place.
      if (stop === undefined || !all.includes(stop)) stop = inRow(root.rows[at.row], at.column) ?? all[0]
      for (const control of all) {
        const index = control === stop ? 0 : -1
        // Writing the same value again would be one more change to settle, without end.
        if (control.tabIndex !== index) control.tabIndex = index
      }
    }
    const focused = ({ target }: FocusEvent) => {
      const control = target instanceof HTMLElement ? target.closest<HTMLElement>(CONTROLS) : null
      const cell = control?.closest('td, th')
      const row = cell?.closest('tr')
      if (!control || !(cell instanceof HTMLTableCellElement) || !row) return
      stop = control
      at = { row: row.rowIndex, column: cell.cellIndex }
      updateTabStops()
    }
    const pressed = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      const next = stop === event.target && stop ? findNextControl(root, stop, event.key) : undefined
      if (next === undefined) return
      event.preventDefault()
      event.stopPropagation()
      next.focus()
    }
    updateTabStops()
    const changes = new MutationObserver(updateTabStops)
    const fold = root.closest('[data-unfolded]')
    if (fold) changes.observe(fold, { attributes: true, attributeFilter: ['data-unfolded'] })
    changes.observe(root, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['tabindex', 'disabled'],
    })
    root.addEventListener('focusin', focused)
    // This runs before the controls' own handlers, because an arrow key would open a select.
    root.addEventListener('keydown', pressed, { capture: true })
    return () => {
      changes.disconnect()
      root.removeEventListener('focusin', focused)
      root.removeEventListener('keydown', pressed, { capture: true })
    }
  }, [table])
}

const listControls = (within: Element | undefined): HTMLElement[] =>
  within === undefined
    ? []
    : [...within.querySelectorAll<HTMLElement>(CONTROLS)].filter((control) => control.checkVisibility?.() ?? true)

const getColumnIndex = (control: HTMLElement): number => {
  const cell = control.closest('td, th')
  return cell instanceof HTMLTableCellElement ? cell.cellIndex : 0
}

/** The control of a row in this column, or the nearest to its left. */
const inRow = (row: HTMLTableRowElement | undefined, column: number): HTMLElement | undefined => {
  const controls = listControls(row)
  return (
    controls.find((control) => getColumnIndex(control) === column) ??
    controls.findLast((control) => getColumnIndex(control) < column) ??
    controls[0]
  )
}

function findNextControl(root: HTMLTableElement, from: HTMLElement, key: string): HTMLElement | undefined {
  const row = from.closest('tr')
  if (row === null) return undefined
  const inThis = listControls(row)
  if (key === 'Home') return inThis[0]
  if (key === 'End') return inThis.at(-1)
  if (key === 'ArrowRight') return inThis[inThis.indexOf(from) + 1] ?? from
  if (key === 'ArrowLeft') return inThis[inThis.indexOf(from) - 1] ?? from
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined
  const step = key === 'ArrowDown' ? 1 : -1
  for (let at = row.rowIndex + step; at >= 0 && at < root.rows.length; at += step) {
    const control = inRow(root.rows[at], getColumnIndex(from))
    if (control !== undefined) return control
  }
  return from
}

interface ThProps extends ComponentProps<'th'> {
  numeric?: boolean
  place?: 'action'
}

export const Th = ({ numeric, place, className, ...rest }: ThProps) => (
  <th
    // biome-ignore lint/a11y/noRedundantRoles: as in Table
    role="columnheader"
    scope="col"
    className={cx(numeric && styles.numeric, place && styles[place], className)}
    {...rest}
  />
)

interface TrProps extends ComponentProps<'tr'> {
  selected?: boolean
}

export const Tr = ({ selected, className, ...rest }: TrProps) => (
  // biome-ignore lint/a11y/noRedundantRoles: as in Table
  <tr role="row" className={cx(selected && styles.selected, className)} {...rest} />
)

interface TdProps extends ComponentProps<'td'> {
  /** The column's name, shown above the value on a card. Without it the value takes the whole line. */
  label?: string
  numeric?: boolean
  wide?: boolean
  /** Its place in a list's two lines: the title and the state are the first line; the first detail leads the second. */
  place?: 'title' | 'state' | 'detail' | 'action' | 'more'
  none?: boolean
  /** A name or address gets at least 180 px on one line; give its full text in `title`. */
  text?: boolean
  corner?: boolean
}

export const Td = ({ label, numeric, wide, place, none, text, corner, className, ...rest }: TdProps) => (
  <td
    // biome-ignore lint/a11y/noRedundantRoles: as in Table
    role="cell"
    data-label={label}
    className={cx(
      numeric && styles.numeric,
      wide && styles.wide,
      place && styles[place],
      none && styles.none,
      text && styles.text,
      corner && styles.corner,
      className,
    )}
    {...rest}
  />
)

export interface Column<Row> extends Pick<TdProps, 'wide' | 'text' | 'className'> {
  title: string
  untitled?: boolean
  numeric?: boolean
  cell: (row: Row) => ReactNode
  fullText?: (row: Row) => string | undefined
}

interface ColumnTableProps<Row> extends Omit<TableProps, 'head' | 'children'> {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}

export const ColumnTable = <Row,>({ columns, rows, keyOf, ...table }: ColumnTableProps<Row>) => {
  const head = columns.map(({ title, untitled, numeric = false }) => (
    <Th key={title} numeric={numeric}>
      {untitled ? <span className="spoken">{title}</span> : title}
    </Th>
  ))
  return (
    <Table {...table} head={head}>
      {rows.map((row) => (
        <Tr key={keyOf(row)}>
          {columns.map(({ title, untitled, cell, fullText, ...td }) => (
            <Td key={title} {...(untitled ? {} : { label: title })} title={fullText?.(row)} {...td}>
              {cell(row)}
            </Td>
          ))}
        </Tr>
      ))}
    </Table>
  )
}
