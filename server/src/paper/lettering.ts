import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

type Doc = PDFKit.PDFDocument

/** Each font has only the letters of its script; Latin's has the digits and most signs that all three use. */
const SCRIPTS = {
  gujarati: { family: 'mukta-vaani', subset: 'gujarati', letters: /[\u0a80-\u0aff]/ },
  devanagari: { family: 'mukta', subset: 'devanagari', letters: /[\u0900-\u097f\ua8e0-\ua8ff₹]/ },
  more: { family: 'mukta', subset: 'latin-ext', letters: /[\u0100-\u02ba\u1e00-\u1eff]/ },
  latin: { family: 'mukta', subset: 'latin', letters: /[ -~\u00a0-\u00ff\u2010-\u2026]/ },
} as const
type Script = keyof typeof SCRIPTS
const ALL = Object.keys(SCRIPTS) as Script[]

export type Weight = 400 | 700

const { resolve } = createRequire(import.meta.url)
function fontFile(script: Script, weight: Weight): string {
  const { family, subset } = SCRIPTS[script]
  const folder = dirname(resolve(`@fontsource/${family}/package.json`))
  return join(folder, 'files', `${family}-${subset}-${weight}-normal.woff`)
}

/** Registers the fonts with a document; only those used are embedded. */
export function registerFonts(doc: Doc): void {
  for (const script of ALL)
    for (const weight of [400, 700] as const) doc.registerFont(nameOf(script, weight), fontFile(script, weight))
}
const nameOf = (script: Script, weight: Weight): string => `${script} ${weight}`

interface Run {
  script: Script
  text: string
}

/** Joiners and spaces stay with the letters before them. */
const FOLLOWS = /\u200c|\u200d| /

/** Splits a text into parts of one script each. Characters that no font has, such as an emoji, are left out. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = []
  for (const letter of text) {
    const last = runs.at(-1)
    if (last && FOLLOWS.test(letter)) {
      last.text += letter
      continue
    }
    const script = ALL.find((name) => SCRIPTS[name].letters.test(letter))
    if (script === undefined) continue
    if (last?.script === script) last.text += letter
    else runs.push({ script, text: letter })
  }
  return runs
}

interface Style {
  size: number
  weight: Weight
}

function widthOf(doc: Doc, text: string, { size, weight }: Style): number {
  let width = 0
  for (const run of runsOf(text)) width += doc.font(nameOf(run.script, weight)).fontSize(size).widthOfString(run.text)
  return width
}

/**
 * Wraps words to a width and a number of lines; a wider word continues on the next line. The last line ends with an
 * ellipsis if there is more text.
 */
function linesOf(
  doc: Doc,
  text: string,
  { width, lines, ...style }: Style & { width: number; lines: number },
): string[] {
  const fits = (line: string) => widthOf(doc, line, style) <= width
  const made: string[] = []
  const words = text.split(/\s+/).filter(Boolean)
  for (const word of words.flatMap((one) => (fits(one) ? one : divided(one, fits)))) {
    const longer = made.length === 0 ? word : `${made.at(-1)} ${word}`
    if (made.length > 0 && fits(longer)) made[made.length - 1] = longer
    else made.push(word)
  }
  return made
    .slice(0, lines)
    .map((line, index) => (index === lines - 1 && made.length > lines ? cut(line, fits) : line))
}

const graphemes = new Intl.Segmenter('gu')
const lettersOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

/** The parts of a word that fit, divided between graphemes. */
function divided(word: string, fits: (part: string) => boolean): string[] {
  const parts: string[] = []
  for (const letter of lettersOf(word)) {
    const longer = `${parts.at(-1) ?? ''}${letter}`
    if (parts.length > 0 && fits(longer)) parts[parts.length - 1] = longer
    else parts.push(letter)
  }
  return parts
}

/** The longest beginning that fits with an ellipsis, cut between graphemes. */
function cut(line: string, fits: (line: string) => boolean): string {
  const letters = lettersOf(line)
  while (letters.length > 1 && !fits(`${letters.join('')}…`)) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

const LINE = 1.25

/** Writes a text from `top` down and returns the `top` of the next text. */
export function write(
  doc: Doc,
  text: string,
  { left, top, width, lines, ...style }: Style & { left: number; top: number; width: number; lines: number },
): number {
  let y = top
  for (const line of linesOf(doc, text, { width, lines, ...style })) {
    let x = left
    y += style.size * LINE
    for (const run of runsOf(line)) {
      doc.font(nameOf(run.script, style.weight)).fontSize(style.size)
      doc.text(run.text, x, y, { lineBreak: false, baseline: 'alphabetic' })
      x += doc.widthOfString(run.text)
    }
  }
  return y + style.size * (LINE - 1)
}
