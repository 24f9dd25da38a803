import type * as z from 'zod'
import type { Right, Role } from '../contracts/names.ts'

/** Who may make a call: everyone, any signed-in user, or the named roles. Flows check ownership. */
export type Access = 'anyone' | 'signedIn' | readonly Role[]

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below /api; parameters are written as {name}. */
  readonly path: string
  readonly access: Access
  /** Paired phones with any of these rights may make the call too; without the field, none may. */
  readonly rights?: readonly Right[]
  /** Phones that were revoked or have lapsed may still make the call. */
  readonly endedToo?: true
  readonly summary: string
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly raw?: true
  /** The JSON answer; absent when the answer is a stream, an image or a file. */
  readonly answer?: z.ZodType
  readonly status?: 201 | 202
}

export type CallFacts = Omit<Call, 'method' | 'path'>

export const READERS = ['admin', 'manager'] as const
export const ADMIN = ['admin'] as const
export const NO_ROLE = [] as const
