import { en } from '@garba/shared/messages/guestOrders/en'
import type { Translation } from '@garba/shared/messages/language'
import { makeWords } from '../../platform/words.ts'

export type OrderWords = Translation<typeof en>

/** The texts of orders and payments in the chosen language. */
export const useOrderWords = makeWords<typeof en>(en, {
  gu: async () => (await import('@garba/shared/messages/guestOrders/gu')).gu,
  hi: async () => (await import('@garba/shared/messages/guestOrders/hi')).hi,
})
