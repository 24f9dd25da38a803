import type * as z from 'zod'
import type { Role } from '../names.ts'
import type { CallName } from '../paths.ts'

/** Who may make a call: everyone, any signed-in user, or the named roles. Ownership is the flow's to check. */
export type Access = 'anyone' | 'signedIn' | readonly Role[]

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Under /api; parameters as {name}. */
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** The JSON answer; absent where the answer is a stream, an image or a file. */
  readonly answer?: z.ZodType
  readonly status?: 201 | 202
}

/** The calls of one resource. */
export type Calls = Partial<Record<CallName, Call>>

export const CHECKERS = ['qrchecker', 'admin'] as const
export const READERS = ['admin', 'manager'] as const
export const ADMIN = ['admin'] as const
