import type { Call } from '@garba/shared/calls/call'
import { CALLS } from '@garba/shared/calls/calls'
import { failureSchema } from '@garba/shared/contracts/common'

const PATTERNS = Object.values(CALLS).map((call: Call) => ({
  call,
  pattern: new RegExp(`^/api${call.path.replace(/\{\w+\}/g, '[^/]+').replace(/\./g, '\\.')}$`),
}))

/** Throws unless a response matches its contract. Every test checks all its responses with this. */
export function holdToContract(method: string, path: string, status: number, body: unknown): void {
  const failed = typeof body === 'object' && body !== null && 'success' in body && body.success === false
  if (failed) {
    failureSchema.parse(body)
    return
  }
  const { pathname } = new URL(path, 'http://localhost')
  const known = PATTERNS.find(({ call, pattern }) => call.method === method && pattern.test(pathname))
  if (!known?.call.answer) return
  known.call.answer.parse(body)
  const promised = known.call.status ?? 200
  if (status !== promised) throw new Error(`${method} ${pathname} answered ${status} instead of ${promised}`)
}
