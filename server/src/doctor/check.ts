import type { SystemCheck } from '@garba/shared/contracts/desk'
import { WHY } from '@garba/shared/messages/doctor'

export type Check = SystemCheck

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail })
export const warning = (name: string, detail: string, cure?: string): Check => ({
  name,
  status: 'warning',
  detail,
  ...(cure === undefined ? {} : { cure }),
})
export const failure = (name: string, detail: string, cure?: string): Check => ({
  ...warning(name, detail, cure),
  status: 'failure',
})

/** A few words about an error, without what was sent or asked: it may hold addresses or keys. */
export function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const cause = error.cause instanceof Error ? error.cause : error
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
  return WHY[code] ?? code
}
