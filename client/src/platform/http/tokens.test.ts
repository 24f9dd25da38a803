import { beforeEach, expect, test } from 'vitest'
import { freshToken, IdentityUnreachable, setTokenSource } from './tokens.ts'

let asked = 0
let answer: () => Promise<string | null>

beforeEach(() => {
  asked = 0
  setTokenSource(async () => ({
    token: () => {
      asked += 1
      return answer()
    },
  }))
})

test('calls refused with the same token share one refresh, late ones too', async () => {
  answer = async () => 'new1'
  expect(await Promise.all([freshToken('old1'), freshToken('old1'), freshToken('old1')])).toEqual([
    'new1',
    'new1',
    'new1',
  ])
  expect(await freshToken('old1')).toBe('new1')
  expect(asked).toBe(1)
})

test('a token refused later is refreshed again', async () => {
  answer = async () => 'new3'
  expect(await freshToken('new2')).toBe('new3')
  expect(asked).toBe(1)
})

test('a provider out of reach is a network failure, ends nothing, and is asked again', async () => {
  answer = async () => {
    throw new IdentityUnreachable('away')
  }
  await expect(freshToken('old4')).rejects.toMatchObject({ code: 'NETWORK' })
  answer = async () => 'new4'
  expect(await freshToken('old4')).toBe('new4')
})

test('a refused refresh means that the session is over', async () => {
  answer = async () => {
    throw new Error('revoked')
  }
  expect(await freshToken('old5')).toBeNull()
})
