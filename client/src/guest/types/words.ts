import { makeWords } from '../../platform/language.ts'
import { en } from './texts/en.ts'

export const useTypeWords = makeWords<typeof en>(en, {
  gu: async () => (await import('./texts/gu.ts')).gu,
  hi: async () => (await import('./texts/hi.ts')).hi,
})
