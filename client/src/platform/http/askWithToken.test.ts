import { beforeEach, expect, test } from 'vitest'
import { markSignedIn } from '../store/local.ts'
import { stubLocalStorage } from '../testing/localStorage.ts'
import { askWithToken, refusalOf, urlOf } from './call.ts'
import { onSessionEnd, setTokenSource } from './tokens.ts'

stubLocalStorage()

let ended = 0
beforeEach(() => {
  ended = 0
  markSignedIn(true)
  onSessionEnd(() => {
    ended += 1
  })
  setTokenSource(async () => ({ token: async ({ force }) => (force ? 'fresh' : 'kept') }))
})

/** A server that accepts these tokens alone. */
const accepting = (...good: (string | null)[]) => {
  const seen: (string | null)[] = []
  const ask = async (token: string | null) => {
    seen.push(token)
    return { status: good.includes(token) ? 200 : 401 }
  }
  return { seen, ask }
}

test('a 401 is asked again once with a fresh token', async () => {
  const { seen, ask } = accepting('fresh')
  expect(await askWithToken(ask)).toEqual({ answer: { status: 200 }, token: 'fresh' })
  expect(seen).toEqual(['kept', 'fresh'])
})

test('a visitor is not asked to refresh anything', async () => {
  markSignedIn(false)
  const { seen, ask } = accepting()
  expect(await askWithToken(ask)).toEqual({ answer: { status: 401 }, token: null })
  expect(seen).toEqual([null])
})

test('if there is no fresh token, the first answer counts', async () => {
  setTokenSource(async () => ({ token: async ({ force }) => (force ? null : 'other') }))
  const { seen, ask } = accepting()
  expect(await askWithToken(ask)).toEqual({ answer: { status: 401 }, token: 'other' })
  expect(seen).toEqual(['other'])
})

test("only our own server's 401 ends the session", () => {
  refusalOf({ status: 401, headers: new Headers(), body: { hotel: 'please pay' } }, 'token')
  expect(ended).toBe(0)
  refusalOf({ status: 401, headers: new Headers(), body: { success: false, code: 'UNAUTHENTICATED' } }, null)
  expect(ended).toBe(0)
  const failure = refusalOf(
    { status: 401, headers: new Headers(), body: { success: false, code: 'UNAUTHENTICATED' } },
    'token',
  )
  expect(ended).toBe(1)
  expect(failure.code).toBe('UNAUTHENTICATED')
})

test('holes are filled and escaped', () => {
  expect(urlOf('/tickets/cancel/{id}', { id: 'A/B ?' })).toBe('/api/tickets/cancel/A%2FB%20%3F')
})

test('empty query values are left out, zero and false are not', () => {
  expect(urlOf('/x', {}, { a: '', b: null, c: undefined, d: 0, e: false, f: 'é&' })).toBe(
    '/api/x?d=0&e=false&f=%C3%A9%26',
  )
})

test('a call without the value of its hole is not sent', () => {
  expect(() => urlOf('/tickets/{id}', {})).toThrow('needs id')
  expect(() => urlOf('/tickets/{id}', { id: '' })).toThrow('needs id')
})
