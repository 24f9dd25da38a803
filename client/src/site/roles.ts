import type { Role } from '@garba/shared/contracts/common'

/** The dashboards there are; a role read from an older or newer server may be none of them (SPEC 2 "Invalid Role"). */
const HOMES: Readonly<Record<Role, string>> = {
  guest: '/dashboard/guest',
  admin: '/dashboard/admin',
  manager: '/dashboard/manager',
  qrchecker: '/dashboard/qrchecker',
}

export const isRole = (role: string): role is Role => Object.hasOwn(HOMES, role)
export const homeOf = (role: Role): string => HOMES[role]
