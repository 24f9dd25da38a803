import { BOOK_RULES, type BookRule } from '@garba/shared/contracts/names'
import { codesSold, drawersAddUp, entriesCounted, seatsAddUp } from './entries.ts'
import { appliedOnce, bankAgrees, moneyAccounted, refundsShown, refundsWithin, ticketsPaid } from './money.ts'
/**
 * Checks the tables independently of the program that wrote them: with its own SQL and arithmetic, and without code
 * from what sells, refunds and admits. Shared code would hide its own mistakes.
 */

export type Row = Readonly<Record<string, unknown>>
/** Runs a query that SQLite and PostgreSQL both understand. */
export type Ask = (query: string) => Promise<Row[]>
/**
 * Finds breaches of one rule, each with the rows concerned, in words for a treasurer. An order's line begins with its
 * code.
 */
export type Check = (ask: Ask) => Promise<string[]>

const CHECKS: Readonly<Record<BookRule, readonly Check[]>> = {
  ticketsPaid,
  moneyAccounted,
  refundsWithin,
  refundsShown,
  appliedOnce,
  bankAgrees,
  drawersAddUp,
  seatsAddUp,
  codesSold,
  entriesCounted,
}

/** Lists the breaches of one rule. */
export async function checkRule(ask: Ask, rule: BookRule): Promise<string[]> {
  const findings: string[] = []
  for (const check of CHECKS[rule]) findings.push(...(await check(ask)))
  return findings
}

/** Lists the breaches of all rules, rule by rule. */
export async function accountantFindings(ask: Ask): Promise<{ rule: BookRule; finding: string }[]> {
  const all: { rule: BookRule; finding: string }[] = []
  for (const rule of BOOK_RULES) for (const finding of await checkRule(ask, rule)) all.push({ rule, finding })
  return all
}
