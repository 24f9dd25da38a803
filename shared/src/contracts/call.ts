import type * as z from 'zod'
import type { Role } from './names.ts'

/** Who may make a call: everyone, any signed-in user, or the named roles. Flows check ownership. */
export type Access = 'anyone' | 'signedIn' | readonly Role[]

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Under /api; parameters as {name}. */
  readonly path: string
  readonly access: Access
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
