/**
 * A text whose `roomy` parts are shown only where there is much room, and its `wide` parts on all but the narrowest phones;
 * screen readers always read them.
 */
export type Phrase = readonly (string | { roomy: string } | { wide: string })[]

export const wholeText = (phrase: Phrase): string =>
  phrase.map((part) => (typeof part === 'string' ? part : 'roomy' in part ? part.roomy : part.wide)).join('')
