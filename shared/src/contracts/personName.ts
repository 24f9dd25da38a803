/** What breaks a line or makes room in it. */
const SPACES = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu
const INDIC = ['Deva', 'Gujr', 'Beng', 'Guru', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh']
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')
/** Gujarati, Hindi and their sisters spell with a joiner between letters: it decides between a conjunct and a half letter. */
const JOINS = new RegExp(String.raw`(?<=[${INDIC}])[\u200c\u200d](?=[${INDIC}])`, 'gu')
/**
 * Characters that nobody sees: zero widths, marks that turn the direction of what follows, tags, variation selectors, fillers,
 * blanks, private ones and halves of pairs.
 */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Co}\p{Cs}\u2800]/gu

/**
 * A name as it may be stored: one line, single spaces, no spaces around it and nothing invisible, so that two names that
 * look the same are the same, and none changes how the text beside it reads.
 */
export function plainName(name: string): string {
  const joins = new Set(Array.from(name.matchAll(JOINS), ({ index }) => index))
  return name
    .replace(UNSEEN, (sign, at: number) => (joins.has(at) ? sign : ''))
    .replace(SPACES, ' ')
    .trim()
}
