import { MINUTE_MS, SECOND_MS } from '@garba/shared/constants'
import * as z from '@garba/shared/contracts/zod'
import { useNow } from '../../platform/screen/now.ts'
import { local } from '../../platform/store/local.ts'

const AWAITED = 'garba.awaitedOrders'
/** How soon after the return from the payment page a payment usually arrives; until then nobody should pay again. */
const CHECKING_MS = 2 * MINUTE_MS

const read = (): Record<string, number> =>
  z.record(z.string(), z.number()).safeParse(local.readJson(AWAITED)).data ?? {}

/** Remembers that this device has seen the order unpaid, and the time of a return from its payment page. */
export const awaitOrder = (code: string, returnedAt = read()[code] ?? 0): void =>
  local.writeJson(AWAITED, { ...read(), [code]: returnedAt })

export const isAwaited = (code: string): boolean => code in read()

export function forgetOrder(code: string): void {
  const { [code]: _, ...others } = read()
  local.writeJson(AWAITED, others)
}

export const useChecking = (code: string): boolean => Math.abs(useNow(SECOND_MS) - (read()[code] ?? 0)) < CHECKING_MS
