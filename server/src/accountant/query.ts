import type { Check, Row } from './accountant.ts'

/** A check that is one query: what it finds, row by row. */
export const finds =
  (query: string, say: (row: Row) => string): Check =>
  async (ask) =>
    (await ask(query)).map(say)

/** PostgreSQL gives sums as text. */
export const numberOf = (value: unknown): number => Number(value ?? 0)

const AMOUNT = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', maximumFractionDigits: 2 })
/** Paise as people write rupees. */
export const rupees = (paise: unknown): string => AMOUNT.format(numberOf(paise) / 100).replace(/\.00$/, '')

/** What people call a ticket, a payment, a refund or a drawer: the end of its id. */
export const short = (id: unknown): string => String(id).slice(-8)
