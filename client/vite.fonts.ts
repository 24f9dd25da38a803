import type { Plugin } from 'vite'

const LATIN =
  'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-200B, U+200E-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD'

/**
 * The letters each subset's file is fetched for. The rupee sign is taken from the 15 kB latin-ext files: in the packaged
 * ranges it would fetch the 90 kB Gujarati ones for one glyph.
 */
const LETTERS = {
  latin: LATIN,
  'latin-ext': 'U+0100-0130, U+0132-0151, U+0154-02BA, U+1E00-1EFF, U+20A0-20AB, U+20AD-20C0',
  gujarati: 'U+0951-0952, U+0964-0965, U+0A80-0AFF, U+200C-200D, U+25CC, U+A830-A839',
  devanagari: 'U+0900-097F, U+1CD0-1CF9, U+200C-200D, U+20F0, U+25CC, U+A8E0-A8FF',
} as const

interface Family {
  name: string
  /** Of @fontsource. */
  files: string
  weights: readonly number[]
  subsets: readonly (keyof typeof LETTERS)[]
}

/** Only what is in use. */
const FAMILIES: readonly Family[] = [
  { name: 'Rozha One', files: 'rozha-one', weights: [400], subsets: ['latin', 'devanagari'] },
  {
    name: 'Mukta Vaani',
    files: 'mukta-vaani',
    weights: [400, 500, 600, 700],
    subsets: ['latin', 'latin-ext', 'gujarati'],
  },
  { name: 'Mukta', files: 'mukta', weights: [400, 600, 700], subsets: ['devanagari'] },
]

const faceOf = ({ name, files }: Family, weight: number, subset: keyof typeof LETTERS) => `@font-face {
  font-family: "${name}";
  font-style: normal;
  font-display: swap;
  font-weight: ${weight};
  src: url("@fontsource/${files}/files/${files}-${subset}-${weight}-normal.woff2") format("woff2");
  unicode-range: ${LETTERS[subset]};
}`

const fontFacesCss = (): string =>
  FAMILIES.flatMap((family) =>
    family.weights.flatMap((weight) => family.subsets.map((subset) => faceOf(family, weight, subset))),
  ).join('\n')

/** Fills kit/fonts.css, for which plain CSS would have to repeat every range of letters at every weight. */
export function fontFaces(): Plugin {
  return {
    name: 'garba:font-faces',
    enforce: 'pre',
    transform: (code, id) => (/\/kit\/fonts\.css$/.test(id) ? code + fontFacesCss() : null),
  }
}
