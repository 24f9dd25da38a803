import type { Role } from '../contracts/common.ts'

/** How a role is called on badges and in menus (SPEC 2). */
export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  guest: 'Guest',
  admin: 'Admin',
  manager: 'Manager',
  qrchecker: 'QR Checker',
}
