/**
 * One result of a benchmark. The default export of server/bench/NAME.bench.ts or client/bench/NAME.bench.ts is a
 * function that gets the command's words and returns rows or a promise of rows. `npm run bench` prints the rows of all
 * files as one table.
 */
export interface BenchRow {
  readonly name: string
  readonly figure: number
  readonly unit: string
  /** The floor or peer measured in the same run, with its figure; empty when there is none. */
  readonly comparedWith: string
  readonly ratio: number | null
  readonly note: string
}

/** `against`: the folder of another checkout to compare this one with. */
export type Bench = (words: readonly string[], against?: string) => Promise<readonly BenchRow[]> | readonly BenchRow[]

/** One figure divided by another, to two digits; null if the other is zero. */
export const computeRatio = (figure: number, other: number): number | null =>
  other === 0 ? null : Math.round((figure / other) * 100) / 100

export const computeMedian = (figures: readonly number[]): number => {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Three significant digits or all integer digits: 1,234, 12.3, 0.123. */
export function formatFigure(figure: number): string {
  const digits = Math.abs(figure) >= 100 ? 0 : Math.abs(figure) >= 10 ? 1 : 2
  return figure.toLocaleString('en', { maximumFractionDigits: digits })
}

export function formatBenchTable(rows: readonly BenchRow[]): string {
  const cells = rows.map((row) => [
    row.name,
    `${formatFigure(row.figure)} ${row.unit}`,
    row.comparedWith || '-',
    row.ratio === null ? '-' : row.ratio.toFixed(2),
    row.note,
  ])
  const all = [['measured', 'figure', 'compared with', 'ratio', 'note'], ...cells]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = all
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}
