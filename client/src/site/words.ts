import { en } from '@garba/shared/messages/landing/en'
import type { Translation } from '@garba/shared/messages/language'
import { makeWords } from '../platform/words.ts'

export type SiteWords = Translation<typeof en>

/** The texts of header, splash and hero. */
export const useWords = makeWords<typeof en>(en, {
  gu: async () => (await import('@garba/shared/messages/landing/gu')).gu,
  hi: async () => (await import('@garba/shared/messages/landing/hi')).hi,
})
