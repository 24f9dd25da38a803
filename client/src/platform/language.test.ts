import { expect, test, vi } from 'vitest'
import { makeWords, switchLanguage, useLanguage } from './language.ts'
import { stubLocalStorage } from './testing/localStorage.ts'

test('of two languages chosen one after the other, the last stays, whichever arrives first', async () => {
  stubLocalStorage()
  vi.stubGlobal('document', { cookie: '', getElementById: () => null })
  const slow = Promise.withResolvers<{ yes: string }>()
  makeWords({ yes: 'Yes' }, { gu: () => slow.promise, hi: async () => ({ yes: 'हाँ' }) })
  const first = switchLanguage('gu')
  await switchLanguage('hi')
  slow.resolve({ yes: 'હા' })
  await first
  expect(useLanguage.getState().language).toBe('hi')
  expect(document.cookie).toContain('garba.language=hi')
  vi.unstubAllGlobals()
})
