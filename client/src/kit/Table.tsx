import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './Table.module.css'

interface TableProps {
  /** Names the rows for screen readers. */
  caption: string
  /** The header cells: Th elements. */
  head: ReactNode
  /** The body: Tr elements. */
  children: ReactNode
  busy?: boolean
  /** Leaves out the frame, for a table inside a flush card. */
  bare?: boolean
}

/**
 * A dense table with a sticky head; below 1024 px each row is a card. The roles are written out because
 * browsers drop a table's own when its parts are drawn as blocks.
 */
export const Table = ({ caption, head, children, busy = false, bare = false }: TableProps) => (
  <div className={cx(styles.frame, bare && styles.bare)}>
    {/* biome-ignore lint/a11y/noRedundantRoles: kept when the rows become cards */}
    <table role="table" className={styles.table} aria-busy={busy || undefined}>
      <caption className={styles.caption}>{caption}</caption>
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

interface ThProps extends ComponentProps<'th'> {
  numeric?: boolean
}

export const Th = ({ numeric, className, ...rest }: ThProps) => (
  // biome-ignore lint/a11y/noRedundantRoles: as in Table
  <th role="columnheader" scope="col" className={cx(numeric && styles.numeric, className)} {...rest} />
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
  /** Takes the whole line of a card: names, addresses. */
  wide?: boolean
  /** A name or address gets at least 180 px on one line; give its full text in `title`. */
  text?: boolean
  /** The row's menu stands at the end of the row, or in a card's corner. */
  corner?: boolean
}

export const Td = ({ label, numeric, wide, text, corner, className, ...rest }: TdProps) => (
  <td
    // biome-ignore lint/a11y/noRedundantRoles: as in Table
    role="cell"
    data-label={label}
    className={cx(
      numeric && styles.numeric,
      wide && styles.wide,
      text && styles.text,
      corner && styles.corner,
      className,
    )}
    {...rest}
  />
)
