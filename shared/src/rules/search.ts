// Only Latin accents are removed: in Gujarati and Hindi, combining marks are vowels that distinguish words.
const ACCENTS = /[\u0300-\u036f]/g
/** Letters that Unicode does not decompose, with the form that people type without them on their keyboard. */
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

/** A text as searches compare it: in lower case, without Latin accents, with plain apostrophes and single spaces. */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(UNTYPED, (sign) => TYPED[sign] ?? sign)
    .replace(/\s+/g, ' ')
    .trim()

/** Cuts a text to at most `most` characters as the contracts count them: an emoji is one. */
export const cutTo = (most: number, text: string): string => [...text].slice(0, most).join('')

/**
 * Normalises an email address for comparison, with only A to Z lowercased. Unicode case folding would also turn other
 * characters into ASCII letters (the Kelvin sign into k), and so one person's address into another's.
 */
export const foldEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
