import { describe, expect, test } from 'vitest'
import { en } from '../src/site/policies/texts/en.ts'
import { gu } from '../src/site/policies/texts/gu.ts'
import { hi } from '../src/site/policies/texts/hi.ts'

/** Every text of a catalogue by the keys that lead to it. */
const textsOf = (part: object, path = ''): [path: string, text: string][] =>
  Object.entries(part).flatMap(([key, value]: [string, string | object]) =>
    typeof value === 'string' ? [[`${path}/${key}`, value]] : textsOf(value, `${path}/${key}`),
  )
const numbersOf = (text: string) => (text.match(/\d+/g) ?? []).sort()

const { language, ...source } = en
const texts = textsOf(source)

test('the policies describe what the pages do: cancelling several tickets, tickets from a link, held places', () => {
  const all = texts.map(([, text]) => text).join(' ')
  for (const said of [
    'Others can be cancelled with it.',
    'Tickets that were opened by a link stay',
    'holds its places',
  ])
    expect(all).toContain(said)
})

describe.each([
  ['Gujarati', gu, /\p{Script=Gujarati}/u],
  ['Hindi', hi, /\p{Script=Devanagari}/u],
] as const)('%s', (_name, catalogue, script) => {
  const translated = new Map(textsOf(catalogue))

  test.each(texts)('%s has every number of the English text, and no other', (path, english) => {
    expect(numbersOf(translated.get(path) ?? '')).toEqual(numbersOf(english))
  })

  test('no text was left in English', () => {
    expect(texts.filter(([path]) => !script.test(translated.get(path) ?? ''))).toEqual([])
  })
})
