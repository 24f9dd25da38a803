import { StoreUnavailable } from '../engine/store.ts'

const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? codeOf(error.cause) : ''
}
const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message} ${messageOf(error.cause)}`
}

/**
 * SQLSTATE classes and codes of a database that cannot serve now: the connection (08), its resources (53), its own errors
 * (58), an operator or a restart (57P), a lock held too long (55P03), a transaction ended for idling (25P03), a standby that
 * takes no writes (25006).
 */
const AWAY = /^(08|53|58|57P|55P03|25P03|25006)|^E[A-Z]{3,}$/
/** The driver's own errors have no codes. */
const AWAY_WORDS =
  /Connection terminated|not queryable|Query read timeout|timeout exceeded when trying to connect|Cannot use a pool after/

/** The connection or the server is gone, rather than one statement wrong. */
export const isAway = (error: unknown): boolean => AWAY.test(codeOf(error)) || AWAY_WORDS.test(messageOf(error))

/** PostgreSQL aborted this transaction in favour of another (serialisation failure, deadlock). */
export const isGivenUp = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

/** The statement was refused because an earlier one of its transaction had failed. */
export const isAfterFailure = (error: unknown): boolean => codeOf(error) === '25P02'

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** Turns an error into StoreUnavailable where another try may succeed. */
export const asUnavailable = (error: unknown): unknown =>
  isAway(error) || isGivenUp(error) ? new StoreUnavailable('PostgreSQL is away', { cause: error }) : error
