import { expect, test } from 'vitest'
import { fold } from './search.ts'

test.each([
  ['José  Ñandú', 'jose nandu'],
  [' Müller ', 'muller'],
  ['01K8ABCDEF', '01k8abcdef'],
])('%j is compared as %j', (text, folded) => {
  expect(fold(text)).toBe(folded)
})

test('Gujarati and Hindi vowels are kept', () => {
  expect(fold('કિરણ')).toBe('કિરણ')
  expect(fold('किरण')).not.toBe(fold('करण'))
})

test('a name is found by what people type for letters their keyboard does not have', () => {
  expect(fold('Søren Kjær')).toBe('soren kjaer')
  expect(fold('Łukasz Groß')).toBe('lukasz gross')
  expect(fold('Zoë D’Souza')).toBe("zoe d'souza")
})
