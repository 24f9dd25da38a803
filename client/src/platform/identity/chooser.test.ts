import { expect, test } from 'vitest'
import { buildDemoAccount } from './chooser.ts'

const listed = [{ uid: 'demo-guest', email: 'guest@garba.test' }]

test('a listed account signs in with its fixed id', () => {
  expect(buildDemoAccount({ name: 'Garima Guest', email: 'guest@garba.test' }, listed).sub).toBe('demo-guest')
})

test('another account is known by its email, however it is typed', () => {
  const first = buildDemoAccount({ name: ' Kavya ', email: ' Kavya@X.test ' }, listed)
  expect(first).toEqual({ sub: 'kavya@x.test', email: 'kavya@x.test', name: 'Kavya' })
  expect(buildDemoAccount({ name: 'K', email: 'kavya@x.test' }, listed).sub).toBe(first.sub)
})
