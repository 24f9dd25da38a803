import { expect, test } from 'vitest'
import { foldText } from './search.ts'

test.each([
  ['José  Ñandú', 'jose nandu'],
  [' Müller ', 'muller'],
  ['01K8ABCDEF', '01k8abcdef'],
])('%j is compared as %j', (text, folded) => {
  expect(foldText(text)).toBe(folded)
})

test('Gujarati and Hindi vowels are kept', () => {
  expect(foldText('કિરણ')).toBe('કિરણ')
  expect(foldText('किरण')).not.toBe(foldText('करण'))
})

test('a name is found by what people type for letters their keyboard does not have', () => {
  expect(foldText('Søren Kjær')).toBe('soren kjaer')
  expect(foldText('Łukasz Groß')).toBe('lukasz gross')
  expect(foldText('Zoë D’Souza')).toBe("zoe d'souza")
})
