import type { CALLS } from '@garba/shared/calls/calls'
import type { CallName, ParamsOf } from '@garba/shared/contracts/paths'
import type * as z from 'zod'

type Calls = typeof CALLS

/** The type of a call's answer; `unknown` if the answer is not JSON. */
export type AnswerOf<N extends CallName> = Calls[N] extends { answer: infer A extends z.ZodType }
  ? z.output<A>
  : unknown
/** The type of a call's body; `unknown` where a rule checks it instead of a contract (event forms). */
export type BodyOf<N extends CallName> = Calls[N] extends { body: infer B extends z.ZodType } ? z.input<B> : unknown

type Value = string | number | boolean | null | undefined
/** Query values, which the server parses from text. Empty, null and undefined ones are left out. */
export type QueryOf<N extends CallName> = Calls[N] extends { query: infer Q extends z.ZodType }
  ? { [K in keyof z.output<Q>]?: Value }
  : Record<string, never>

export interface Common {
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Milliseconds until the request is given up; 15 s by default. */
  timeoutMs?: number
  /** The number of attempts after a network failure; defaults to SPEC's 3 if the call may be repeated, else 0. */
  retries?: number
  /** An answer with other headers counts as none. */
  accepts?: (headers: Headers) => boolean
  /** Keeps sending when the page closes (small bodies only). */
  keepalive?: boolean
}
type WithParams<N extends CallName> = [keyof ParamsOf<N>] extends [never] ? { params?: never } : { params: ParamsOf<N> }
type WithBody<N extends CallName> = Calls[N] extends { body: z.ZodType } ? { body: BodyOf<N> } : { body?: unknown }

export type CallOptions<N extends CallName> = Common & { query?: QueryOf<N> } & WithParams<N> & WithBody<N>
/** Options may be omitted when none is required. */
export type CallArgs<N extends CallName> =
  Record<never, never> extends WithParams<N> & WithBody<N> ? [options?: CallOptions<N>] : [options: CallOptions<N>]
