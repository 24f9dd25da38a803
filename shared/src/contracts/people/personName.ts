const SPACES = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu
const INDIC = ['Deva', 'Gujr', 'Beng', 'Guru', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh']
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')
/** Indic scripts need joiners between letters: they decide between a conjunct and a half letter. */
const JOINS = new RegExp(String.raw`(?<=[${INDIC}])[\u200c\u200d](?=[${INDIC}])`, 'gu')
/**
 * Invisible characters: zero widths, direction marks, tags, variation selectors, fillers, blanks, private-use
 * characters and lone surrogates.
 */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Co}\p{Cs}\u2800]/gu

/** A ticket's code, or the part of it that a field had room for. */
const CODE = /G[RBG]1:[0-9A-Z$%*+\-./:]{20}/i

export const isCodeText = (text: string): boolean => CODE.test(text)

/**
 * Returns a name as it may be stored: one line, single spaces, trimmed and without invisible characters. So names that
 * look the same are equal, and no name changes the direction or look of the text beside it.
 */
export function plainName(name: string): string {
  const joins = new Set(Array.from(name.matchAll(JOINS), ({ index }) => index))
  return name
    .replace(UNSEEN, (sign, at: number) => (joins.has(at) ? sign : ''))
    .replace(SPACES, ' ')
    .trim()
}
