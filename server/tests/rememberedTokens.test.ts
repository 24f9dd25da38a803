import { expect, test } from 'vitest'
import { type Claims, TokenRefused } from '../src/identity/claims.ts'
import { rememberTokens } from '../src/identity/verifier.ts'
import { BEGINNING, makeClock } from '../src/testing/clock.ts'

function remembered() {
  const clock = makeClock(BEGINNING)
  const verified: string[] = []
  const verify = rememberTokens(async (token): Promise<Claims> => {
    verified.push(token)
    if (token === 'bad') throw new TokenRefused('bad')
    const expiresAt = new Date(clock.now().getTime() + 60_000)
    return { uid: token, email: '', provider: null, emailVerified: true, name: '', photoUrl: null, expiresAt }
  }, clock.now)
  return { clock, verify, verified }
}

test('each token is verified once while it is valid', async () => {
  const { verify, verified } = remembered()
  expect((await verify('radha')).uid).toBe('radha')
  expect((await verify('meera')).uid).toBe('meera')
  expect((await verify('radha')).uid).toBe('radha')
  expect(verified).toEqual(['radha', 'meera'])
})

test('an expired token is verified again', async () => {
  const { clock, verify, verified } = remembered()
  await verify('radha')
  clock.forward(60_000)
  await verify('radha')
  expect(verified).toEqual(['radha', 'radha'])
})

test('a refusal is not remembered', async () => {
  const { verify, verified } = remembered()
  await expect(verify('bad')).rejects.toThrow(TokenRefused)
  await expect(verify('bad')).rejects.toThrow(TokenRefused)
  expect(verified).toEqual(['bad', 'bad'])
})
