import { formatCount } from '@garba/shared/messages/language'

export const countPhones = (n: number): string => (n === 1 ? '1 phone' : `${formatCount(n)} phones`)
