import pino, { type DestinationStream } from 'pino'
import type { Settings } from './config.ts'

/** Structured log entries. They never hold tokens, names, emails or query strings. */
export interface Log {
  info: (facts: object, message: string) => void
  warn: (facts: object, message: string) => void
  error: (facts: object, message: string) => void
}

/** The database library puts a failed statement's values into the message, so that message is replaced. */
const plainError = (error: unknown) => {
  if (!(error instanceof Error)) return { type: typeof error }
  const cause = error.cause instanceof Error ? error.cause : error
  const withValues = /\bparams:/.test(cause.message)
  const frames = cause.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: cause.name,
    message: withValues ? 'statement failed' : cause.message,
    ...('code' in cause ? { code: String(cause.code) } : {}),
    stack: frames?.join('\n'),
  }
}

/**
 * Writes JSON lines to standard output or `destination`. Writes are synchronous, because a buffered line without a
 * reader would be retried forever at exit, and the process would never end.
 */
export const makeLog = ({ logLevel }: Pick<Settings, 'logLevel'>, destination?: DestinationStream): Log =>
  pino({ level: logLevel, base: null, serializers: { err: plainError } }, destination ?? standardOutput())

function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true })
  // On a full disk lines are lost, but the server continues.
  output.on('error', () => undefined)
  return output
}
