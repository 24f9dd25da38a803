import { en } from '@garba/shared/messages/guest/en'
import type { Translation } from '@garba/shared/messages/language'
import { makeWords } from '../platform/words.ts'

export type GuestWords = Translation<typeof en>

/** The texts of the guest's screens in the chosen language. */
export const useWords = makeWords<typeof en>(en, {
  gu: async () => (await import('@garba/shared/messages/guest/gu')).gu,
  hi: async () => (await import('@garba/shared/messages/guest/hi')).hi,
})
