import type { Right } from '../../contracts/names.ts'

/** What a phone is for. Each role has all rights of the one before it. */
export const PHONE_ROLES = {
  checker: ['scan', 'find', 'undo'],
  seller: ['scan', 'find', 'undo', 'sell'],
  supervisor: ['scan', 'find', 'undo', 'sell', 'complimentary', 'supervise'],
} as const satisfies Record<string, readonly Right[]>

type PhoneRole = keyof typeof PHONE_ROLES
export const PHONE_ROLE_NAMES = ['checker', 'seller', 'supervisor'] as const satisfies readonly PhoneRole[]

/** The role with exactly these rights, in any order. */
export const roleOf = (rights: readonly Right[]): PhoneRole | 'custom' =>
  PHONE_ROLE_NAMES.find((role) => {
    const of: readonly Right[] = PHONE_ROLES[role]
    return of.length === new Set(rights).size && of.every((right) => rights.includes(right))
  }) ?? 'custom'
