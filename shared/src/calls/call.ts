import type * as z from 'zod'
import type { Right, Role } from '../contracts/names.ts'

/** Who may make a call: everyone, any signed-in user, or the named roles. Flows check ownership. */
export type Access = 'anyone' | 'signedIn' | readonly Role[]

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Under /api; parameters as {name}. */
  readonly path: string
  readonly access: Access
  /** Paired phones may make it too, with any one of these; without it they may not. */
  readonly rights?: readonly Right[]
  /** Phones that were revoked, or whose time is over, may still make it. */
  readonly endedToo?: true
  readonly summary: string
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** The body is handed on as it came, byte for byte. */
  readonly raw?: true
  /** The JSON answer; absent when the answer is a stream, an image or a file. */
  readonly answer?: z.ZodType
  readonly status?: 201 | 202
}

export const READERS = ['admin', 'manager'] as const
export const ADMIN = ['admin'] as const
/** For calls that only paired phones make. */
export const NO_ROLE = [] as const
