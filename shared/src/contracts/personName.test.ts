import { expect, test } from 'vitest'
import { plainName } from '../contracts/personName.ts'

test.each([
  ['  Radha   Patel ', 'Radha Patel'],
  ['Radha\r\nadmitted at Gate A', 'Radha admitted at Gate A'],
  ['Radha\u2028Patel\u0000\u0085', 'Radha Patel'],
  ['\u202eahdaR\u202c', 'ahdaR'],
  ['\n\t', ''],
  ['ક્ષમા', 'ક્ષમા'],
  ['श्री\u200dकृष्ण', 'श्री\u200dकृष्ण'],
  ['Zoë O’Brien', 'Zoë O’Brien'],
])('%j is kept as %j', (given, kept) => {
  expect(plainName(given)).toBe(kept)
})
