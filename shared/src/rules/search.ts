// Latin accents only: in Gujarati and Hindi the combining marks are vowels, and without them different words look the same.
const ACCENTS = /[\u0300-\u036f]/g
/** What people type when their keyboard lacks these letters, which do not decompose into a letter and an accent. */
const TYPED: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ı: 'i',
  '’': "'",
  '‘': "'",
}
const UNTYPED = new RegExp(`[${Object.keys(TYPED).join('')}]`, 'g')

/** A text as searches compare it: lower case, without Latin accents, plain apostrophes, single spaces. */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(UNTYPED, (sign) => TYPED[sign] ?? sign)
    .replace(/\s+/g, ' ')
    .trim()
