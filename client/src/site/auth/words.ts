import { makeWords } from '../../platform/language.ts'
import { en } from './texts/en.ts'

/** The texts of the other ways to sign in, fetched when they are first needed. */
export const useAuthWords = makeWords<typeof en>(en, {
  gu: async () => (await import('./texts/gu.ts')).gu,
  hi: async () => (await import('./texts/hi.ts')).hi,
})
