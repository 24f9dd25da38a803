import type { Config } from '@garba/shared/contracts/site'
import { useConfig } from '../platform/config.ts'

/** `free`: tickets are given out when they are ordered. `counter`: only the desk sells. */
export type Sale = 'free' | 'paid' | 'counter'

export const saleOf = (payments: Config['payments'] | undefined): Sale =>
  payments === undefined ? 'free' : payments.providers.length > 0 ? 'paid' : payments.desk ? 'counter' : 'free'

/** How tickets are sold here (DECISIONS 7); free until the settings are known. */
export const useSale = (): Sale => useConfig(({ config }) => saleOf(config?.payments))
