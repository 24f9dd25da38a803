import { expect, test } from 'vitest'
import { shownPhoto } from './photo.ts'

test.each(['https://lh3.googleusercontent.com/a/x=s96-c', 'https://googleusercontent.com/x'])(
  'a photo of Google’s is shown: %s',
  (address) => {
    expect(shownPhoto(address)).toBe(address)
  },
)

test.each([
  null,
  '',
  'x',
  'http://lh3.googleusercontent.com/a',
  'https://example.org/me.png',
  'https://googleusercontent.com.example.org/me.png',
  'https://evilgoogleusercontent.com/me.png',
  'https://example.org/?googleusercontent.com',
  'https://lh3.googleusercontent.com@example.org/a',
  'https://lh3.googleusercontent.com:8443/a',
])('no other is: %j', (address) => {
  expect(shownPhoto(address)).toBeNull()
})
