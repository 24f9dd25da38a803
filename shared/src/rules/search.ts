// Only Latin accents are removed: in Gujarati and Hindi the combining marks are vowels that tell words apart.
const ACCENTS = /[\u0300-\u036f]/g
/** People without these letters on their keyboard type the second form; Unicode does not decompose the letters. */
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

/**
 * Normalises an email address for comparison, with only A to Z lowercased. Unicode case folding would also turn other
 * characters into ASCII letters (the Kelvin sign into k), and so one person's address into another's.
 */
export const foldEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
