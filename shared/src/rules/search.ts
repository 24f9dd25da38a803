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

/** Most texts are plain English and prices, which need none of the slow steps: they took a twentieth of a sale's time. */
const PLAIN = /^[ -~₹]*$/

/** A text as searches compare it: in lower case, without Latin accents, with plain apostrophes and single spaces. */
export const foldText = (text: string): string =>
  (PLAIN.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFD')
        .replace(ACCENTS, '')
        .normalize('NFC')
        .toLowerCase()
        .replace(UNTYPED, (sign) => TYPED[sign] ?? sign)
  )
    .replace(/\s+/g, ' ')
    .trim()

/** Cuts a text to at most `most` characters as the contracts count them: an emoji is one character. */
export const truncateText = (most: number, text: string): string => [...text].slice(0, most).join('')

/**
 * Normalises an email address for comparison, with only A to Z lowercased. Unicode case folding would also turn other
 * characters into ASCII letters (the Kelvin sign into k), and so one person's address into another's.
 */
export const foldEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Marks the end of a number in a search text, so that its last digits find it. */
const NUMBER_END = '#'
const TAIL_MIN = 4
const PHONE_DIGITS = 10

/** The digits of Gujarati and Hindi; the last four bits of the code count from 6. */
const LOCAL_DIGIT = /[\u0ae6-\u0aef\u0966-\u096f]/g
const asDigit = (sign: string): string => String((sign.charCodeAt(0) & 0xf) - 6)

/** A text whose signs are the same however they are typed: joiners and nuktas are left out, digits are 0 to 9. */
const plain = (text: string): string =>
  PLAIN.test(text)
    ? foldText(text)
    : foldText(text.normalize('NFD').replace(/\u200c|\u200d|\u093c|\u0abc/g, '')).replace(LOCAL_DIGIT, asDigit)

/** Words begin after any character that is no letter, mark or digit. */
const findSigns = (text: string): RegExp => (PLAIN.test(text) ? /[^A-Za-z0-9]+/g : /[^\p{L}\p{M}\p{N}]+/gu)
const splitWords = (text: string): string[] => text.split(findSigns(text)).filter(Boolean)

/** The words of a text, and what remains of each part between spaces, of runs of initials and of the whole without signs. */
function searchWords(text: string): string[] {
  const folded = plain(text)
  const signs = findSigns(folded)
  const words = folded.split(signs).filter(Boolean)
  const parts = folded.split(' ').map((part) => part.replace(signs, ''))
  const initials = words.some(({ length }) => length === 1)
    ? words
        .map((word) => (word.length === 1 ? word : ' '))
        .join('')
        .split(/ +/)
    : []
  return [...words, ...parts, ...initials, words.join('')].filter(Boolean)
}

/** Marks the number printed on a paper ticket, which "No. 12" finds exactly. */
const PRINTED = 'no'

interface SearchedParts {
  words: readonly (string | null)[]
  printed?: number | null | undefined
  /** Ids, codes and phone numbers, which are also found by their last characters. */
  numbers?: readonly (string | null)[]
}

const SEPARATOR = '\n'
let last = { words: '', texts: [''] }

/** The last result is kept: an order and its tickets have the same names. */
function wordTexts(given: readonly string[]): string[] {
  const words = given.join(SEPARATOR)
  if (last.words === words) return last.texts
  const start = given.length === 0 ? '' : ` ${foldText(given.join(' '))}`
  const there = `${start} `
  const more = new Set(given.flatMap(searchWords).filter((word) => !there.includes(` ${word} `)))
  last = { words, texts: [start, ...more] }
  return last.texts
}

/**
 * The text in which `matchesSearch` looks, and the same conditions in SQL. It begins with the folded text, then come the
 * words by which it is also found, each after a space.
 */
export function buildSearchText({ words, printed, numbers = [] }: SearchedParts): string {
  const ids = numbers.flatMap((number) => (number ? `${splitWords(plain(number)).join('')}${NUMBER_END}` : []))
  if (printed) ids.push(`${PRINTED}${printed}${NUMBER_END}`, `${printed}${NUMBER_END}`)
  return [...wordTexts(words.filter((word) => word !== null)), ...ids].join(' ').replace(/^ +/, ' ')
}

const asId = (word: string): string => word.replace(/[il]/g, '1').replace(/o/g, '0')

const endings = (word: string): string[] => {
  if (word.length < TAIL_MIN) return []
  const tail = /^\d+$/.test(word) ? word.slice(-PHONE_DIGITS) : word
  return [...new Set([word, asId(word), tail])].map((ending) => `${ending}${NUMBER_END}`)
}

/**
 * What a text must contain to be found: at least one entry of each group. Every word typed begins a word or ends a
 * number; a number may be typed in parts, and "No. 12" is the number on a paper ticket. Empty if nothing was typed;
 * signs alone make a group that nothing fulfils.
 */
export function buildSearchGroups(typed: string): string[][] {
  const printed: string[][] = []
  const rest = plain(typed).replace(/(?<![^ ])no\.? ?(\d{1,4})(?![^ ])/g, (_, number) => {
    printed.push([` ${PRINTED}${number}${NUMBER_END}`])
    return ''
  })
  const parts = rest.split(' ').map(splitWords)
  if (typed.trim() !== '' && parts.flat().length === 0 && printed.length === 0) return [[]]
  const whole = parts.flat().length > 1 ? endings(parts.flat().join('')) : []
  const words = parts.flatMap((part) =>
    part.map((word) => [
      ...new Set([` ${word}`, ...endings(word), ...(part.length > 1 ? [` ${part.join('')}`] : []), ...whole]),
    ]),
  )
  return [...printed, ...words]
}

export const matchesSearch = (text: string, groups: readonly (readonly string[])[]): boolean =>
  groups.every((group) => group.some((part) => text.includes(part)))
