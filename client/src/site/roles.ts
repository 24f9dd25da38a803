import type { Role } from '@garba/shared/contracts/names'
import { HOMES } from '@garba/shared/contracts/site/pages'

/** A role read from an older or newer server may have no dashboard (SPEC 2 "Invalid Role"). */
export const isRole = (role: string): role is Role => Object.hasOwn(HOMES, role)
export const homeOf = (role: Role): string => HOMES[role]
