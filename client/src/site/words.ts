import type { Translation } from '@garba/shared/messages/language'
import { makeWords } from '../platform/language.ts'
import { en } from './texts/en.ts'

export type SiteWords = Translation<typeof en>

export const useWords = makeWords<typeof en>(en, {
  gu: async () => (await import('./texts/gu.ts')).gu,
  hi: async () => (await import('./texts/hi.ts')).hi,
})
