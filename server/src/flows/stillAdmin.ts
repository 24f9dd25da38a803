import { Refusal } from '../refusal.ts'
import type { Sql } from '../store/sql.ts'
import { findUser } from '../store/users.ts'
import type { Caller } from './deps.ts'

/**
 * Asks for the admin's role again under the write lock: two admins who demote or delete each other at one moment must
 * not leave the event without any. Refuses with ROLES_ADMIN_ONLY or FORBIDDEN.
 */
export function requireStillAdmin(tx: Sql, admin: Caller, code: 'ROLES_ADMIN_ONLY' | 'FORBIDDEN'): void {
  if (findUser(tx, admin.id)?.role !== 'admin') throw new Refusal(code)
}
