import { expect, expectTypeOf, test } from 'vitest'
import { isLanguage, LANGUAGE_LOCALES, LANGUAGES, type Translation } from './language.ts'

const en = {
  title: 'Tickets',
  left: (n: number) => `${n} tickets remaining`,
  faq: [
    { question: 'When?', answer: 'In September.' },
    { question: 'Where?', answer: 'In Ahmedabad.' },
  ],
  hero: { book: 'Book Your Tickets Now' },
} as const

test('a translation has the keys, lists and values of the English, and its own words', () => {
  const gu = {
    title: 'ટિકિટ',
    left: (n: number) => `${n} ટિકિટ બાકી`,
    faq: [
      { question: 'ક્યારે?', answer: 'સપ્ટેમ્બરમાં.' },
      { question: 'ક્યાં?', answer: 'અમદાવાદમાં.' },
    ],
    hero: { book: 'ટિકિટ બુક કરો' },
  } as const satisfies Translation<typeof en>
  expectTypeOf(gu).toExtend<Translation<typeof en>>()
  expect(gu.left(3)).toBe('3 ટિકિટ બાકી')
})

test('a translation that lacks or adds something, or needs other values, does not compile', () => {
  type Guest = Translation<typeof en>
  expectTypeOf<Omit<typeof en, 'title'>>().not.toExtend<Guest>()
  expectTypeOf<Omit<typeof en, 'left'> & { left: (name: string) => string }>().not.toExtend<Guest>()
  expectTypeOf<
    Omit<typeof en, 'faq'> & { faq: readonly [{ question: string; answer: string }] }
  >().not.toExtend<Guest>()
  // @ts-expect-error A key the English does not have.
  expect({ ...en, more: 'x' } satisfies Guest).toHaveProperty('more')
})

test('only the three languages are languages', () => {
  expect(LANGUAGES.every(isLanguage)).toBe(true)
  for (const other of ['', 'EN', 'fr', null, undefined, 0, 'toString']) expect(isLanguage(other)).toBe(false)
})

test('every language writes digits in the Latin script', () => {
  for (const language of LANGUAGES) expect(new Intl.NumberFormat(LANGUAGE_LOCALES[language]).format(1234)).toBe('1,234')
})
