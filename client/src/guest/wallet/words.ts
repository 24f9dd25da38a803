import { makeWords } from '../../platform/language.ts'
import { en } from './texts/en.ts'

/** The texts of the wallet, and of an owner's links and new codes, in the chosen language. */
export const useWalletWords = makeWords<typeof en>(en, {
  gu: async () => (await import('./texts/gu.ts')).gu,
  hi: async () => (await import('./texts/hi.ts')).hi,
})
