import { createHash } from 'node:crypto'
import type { CallInput } from '@garba/shared/calls/calls'
import { AUDIT } from '@garba/shared/messages/audit'
import { toLocalDay } from '@garba/shared/rules/event/calendar'
import { foldText } from '@garba/shared/rules/search'
import { inPieces, newId, type WriteTx } from '../../store/engine/sql.ts'
import {
  changeStatementLine,
  findLinesLike,
  insertStatementLine,
  type StatementLineRow,
} from '../../store/statementLines.ts'
import type { Caller, Deps } from '../deps.ts'
import { type Credit, readColumns, readCredits } from './statementFile.ts'
import { creditLines } from './statements.ts'

export const readStatement = ({ now, settings }: Deps, csv: string) =>
  readColumns(csv, toLocalDay(now(), settings.timezone))

/** Lines per write, so that sales need not wait for a long statement. */
const AT_ONCE = 200

type Import = CallInput<'importStatement'> & { admin: Caller }

/**
 * Stores the credits of a statement, each once, and adds to known lines what this file has and an earlier file lacked.
 * Confirms nothing.
 */
export async function importStatement(deps: Deps, { admin, csv, mapping }: Import) {
  const { credits: found, ...skipped } = readCredits(csv, mapping)
  const read = found.map((credit) => ({ ...credit, numbers: credit.numbers.map(withoutPadding) }))
  // Credits that could be taken for each other are read in one write, the exact credits first.
  const credits = read.toSorted((one, other) => one.day.localeCompare(other.day) || one.paise - other.paise)
  const file = { utrs: new Set(credits.flatMap(({ utr }) => utr ?? [])), taken: new Set<string>() }
  const notAside = { asideNote: null, asideByName: null, asideAt: null }
  const kept = { importedAt: deps.now(), importedByName: admin.name, orderId: null, ...notAside }
  let added = 0
  for (const some of inPieces(credits, AT_ONCE)) {
    const { taken, fresh } = await deps.store.write((tx) => keepCredits(tx, some, { ...file, kept }))
    for (const id of taken) file.taken.add(id)
    added += fresh
  }
  return { added, known: credits.length - added, ...skipped, lines: await deps.store.read((tx) => creditLines(tx)) }
}

/** Banks pad 12 digits with zeros. */
const withoutPadding = (number: string): string => number.replace(/^0+(?=\d{12}$)/, '')

interface CreditImport {
  /** Every UTR of the file: a line with one of them is that credit and no other. */
  utrs: ReadonlySet<string>
  taken: ReadonlySet<string>
  kept: Omit<StatementLineRow, 'id' | 'day' | 'amountPaise' | 'utr' | 'numbers' | 'description'>
}

async function keepCredits(tx: WriteTx, credits: readonly Credit[], { utrs, taken, kept }: CreditImport) {
  const found = matchLines(
    credits,
    (
      await findLinesLike(tx, { utrs: credits.flatMap(({ utr }) => utr ?? []), days: credits.map(({ day }) => day) })
    ).filter(({ id }) => !taken.has(id)),
    utrs,
  )
  let fresh = 0
  for (const credit of credits) {
    const line = found.get(credit)
    if (line) {
      const more = mendLine(line, credit)
      if (more) await changeStatementLine(tx, line.id, more)
      continue
    }
    const { day, paise, utr, numbers, description } = credit
    const row = { day, amountPaise: paise, utr, numbers: numbers.join(' '), description, ...kept }
    // The hash may be that of a line which has since got a UTR of its own.
    if (!(await insertStatementLine(tx, { id: buildCreditId(credit), ...row })))
      await insertStatementLine(tx, { id: newId(kept.importedAt), ...row })
    fresh += 1
  }
  return { fresh, taken: [...found.values()].map(({ id }) => id) }
}

/** A credit is the same in every file by its RRN and amount; without an RRN, by its whole line. */
const buildCreditId = ({ day, paise, utr, description, repeat }: Credit): string =>
  createHash('sha256')
    .update(utr === null ? [day, paise, foldText(description), repeat].join('|') : `${utr}|${paise}`)
    .digest('hex')

/** Finds the known line of each credit; a line is one credit only. */
function matchLines(
  credits: readonly Credit[],
  known: readonly StatementLineRow[],
  utrs: ReadonlySet<string>,
): Map<Credit, StatementLineRow> {
  const found = new Map<Credit, StatementLineRow>()
  const free = new Set(known)
  const take = (credit: Credit, line: StatementLineRow | undefined) => {
    if (line && free.delete(line)) found.set(credit, line)
  }
  const exact = new Map(
    known.flatMap((line): [string, StatementLineRow][] => [
      [line.id, line],
      [`${line.utr}|${line.amountPaise}`, line],
    ]),
  )
  for (const credit of credits)
    take(credit, exact.get(credit.utr === null ? buildCreditId(credit) : `${credit.utr}|${credit.paise}`))
  for (const line of free) if (line.utr !== null && utrs.has(line.utr)) free.delete(line)
  const near = Map.groupBy(free, ({ day, amountPaise }) => `${day}|${amountPaise}`)
  for (const isIt of [hasSameWords, isOtherForm])
    for (const credit of credits)
      if (!found.has(credit))
        take(
          credit,
          near
            .get(`${credit.day}|${credit.paise}`)
            ?.find((line) => free.has(line) && mayBe(credit, line) && isIt(credit, line)),
        )
  return found
}

/** Of two forms of one credit with the same day and amount, one may lack the RRN. */
const mayBe = (credit: Credit, line: StatementLineRow): boolean =>
  (line.utr === null || credit.utr === null) && !isErased(line)

const hasSameWords = (credit: Credit, line: StatementLineRow): boolean =>
  foldText(credit.description) === foldText(line.description)

function isOtherForm(credit: Credit, line: StatementLineRow): boolean {
  const [ours, theirs] = [numbersIn(line), [credit.utr ?? [], credit.numbers].flat()]
  const shares = (credit.utr !== null && ours.includes(credit.utr)) || (line.utr !== null && theirs.includes(line.utr))
  return (
    shares || isContainedIn(credit.description, line.description) || isContainedIn(line.description, credit.description)
  )
}

const numbersIn = ({ numbers }: StatementLineRow): string[] => numbers.split(' ').filter(Boolean)

const wordsIn = (text: string): string[] =>
  foldText(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)

function isContainedIn(shorter: string, longer: string): boolean {
  const [few, many] = [wordsIn(shorter), wordsIn(longer)]
  const last = few.pop()
  const whole = new Set(many)
  return last === undefined || (few.every((word) => whole.has(word)) && many.some((word) => word.startsWith(last)))
}

const isErased = ({ description, importedByName }: StatementLineRow): boolean =>
  [description, importedByName].some((text) => text.includes(AUDIT.erased) || text.includes(AUDIT.erasedText))

/** What a credit adds to a known line; null if nothing. A line that pays an order keeps its words. */
function mendLine(line: StatementLineRow, credit: Credit): Partial<StatementLineRow> | null {
  const utr = line.utr ?? credit.utr
  const known = numbersIn(line)
  const numbers = [...new Set([...known, ...credit.numbers])].filter((number) => number !== utr).join(' ')
  const description = line.orderId !== null || isErased(line) ? line.description : joinWords(line, credit)
  const isSame = utr === line.utr && numbers === line.numbers && description === line.description
  return isSame ? null : { utr, numbers, description }
}

const WORDS_MAX = 1_000

/** The words of both forms: either may have the only whole order code. */
function joinWords({ description: ours }: StatementLineRow, { description: theirs }: Credit): string {
  if (isContainedIn(theirs, ours)) return ours
  return (isContainedIn(ours, theirs) ? theirs : `${ours} | ${theirs}`).slice(0, WORDS_MAX)
}
