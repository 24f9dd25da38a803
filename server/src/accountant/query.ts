import type { Check, Row } from './accountant.ts'

/** Makes a check from one query: each row of the result is a finding. */
export const finds =
  (query: string, say: (row: Row) => string): Check =>
  async (ask) =>
    (await ask(query)).map(say)

/** PostgreSQL gives sums as text. */
export const numberOf = (value: unknown): number => Number(value ?? 0)

const AMOUNT = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', maximumFractionDigits: 2 })
/** Formats paise as rupees for people. */
export const rupees = (paise: unknown): string => AMOUNT.format(numberOf(paise) / 100).replace(/\.00$/, '')

/** The short name of a ticket, a payment, a refund or a drawer: the end of its id. */
export const short = (id: unknown): string => String(id).slice(-8)
