import { en } from '@garba/shared/messages/landingSections/en'
import { makeWords } from '../../../platform/words.ts'

/** The words below the hero: fetched with it. */
export const useSectionWords = makeWords<typeof en>(en, {
  gu: async () => (await import('@garba/shared/messages/landingSections/gu')).gu,
  hi: async () => (await import('@garba/shared/messages/landingSections/hi')).hi,
})
