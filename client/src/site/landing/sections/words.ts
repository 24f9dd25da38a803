import { en } from '@garba/shared/messages/landingSections/en'
import { makeWords } from '../../../platform/words.ts'

/** The texts of the sections below the hero, fetched with them. */
export const useSectionWords = makeWords<typeof en>(en, {
  gu: async () => (await import('@garba/shared/messages/landingSections/gu')).gu,
  hi: async () => (await import('@garba/shared/messages/landingSections/hi')).hi,
})
