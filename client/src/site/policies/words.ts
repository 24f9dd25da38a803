import { en } from '@garba/shared/messages/policies/en'
import { makeWords } from '../../platform/words.ts'

/** The texts of the policies in the chosen language, fetched with the page. */
export const usePolicyWords = makeWords<typeof en>(en, {
  gu: async () => (await import('@garba/shared/messages/policies/gu')).gu,
  hi: async () => (await import('@garba/shared/messages/policies/hi')).hi,
})
