import { makeWords } from '../../../platform/language.ts'
import { en } from '../texts/en.ts'

/** The texts of the sections below the hero, fetched with them. */
export const useSectionWords = makeWords<typeof en>(en, {
  gu: async () => (await import('../texts/gu.ts')).gu,
  hi: async () => (await import('../texts/hi.ts')).hi,
})
