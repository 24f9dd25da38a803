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
export function findFontFile(script: Script, weight: Weight): string {
  const { family, subset } = SCRIPTS[script]
  const folder = dirname(resolve(`@fontsource/${family}/package.json`))
  return join(folder, 'files', `${family}-${subset}-${weight}-normal.woff`)
}

/** Registers the fonts with a document; only those used are embedded. */
export function registerFonts(doc: Doc): void {
  for (const script of ALL)
    for (const weight of [400, 700] as const)
      doc.registerFont(getFontName(script, weight), findFontFile(script, weight))
}
const getFontName = (script: Script, weight: Weight): string => `${script} ${weight}`

interface Run {
  script: Script
  text: string
}

/** Joiners and spaces stay with the letters before them. */
const FOLLOWS = /\u200c|\u200d| /

/** Splits a text into parts of one script each. Characters that no font has, such as an emoji, are left out. */
export function splitScriptRuns(text: string): Run[] {
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

/**
 * The pieces of a text that are shaped by themselves. fontkit, with which pdfkit shapes, joins marks of neighbouring
 * syllables into one: શિવરંજની came out as શિંવરજની. A grapheme alone is shaped as HarfBuzz does.
 */
export function splitPieces(text: string): Run[] {
  return splitScriptRuns(text).flatMap((run) =>
    run.script === 'gujarati' || run.script === 'devanagari'
      ? splitLetters(run.text).map((letter) => ({ script: run.script, text: letter }))
      : run,
  )
}

interface Style {
  size: number
  weight: Weight
}

function measureText(doc: Doc, text: string, { size, weight }: Style): number {
  let width = 0
  for (const piece of splitPieces(text))
    width += doc.font(getFontName(piece.script, weight)).fontSize(size).widthOfString(piece.text)
  return width
}

function wrapLines(
  doc: Doc,
  text: string,
  { width, lines, ...style }: Style & { width: number; lines: number },
): string[] {
  const fits = (line: string) => measureText(doc, line, style) <= width
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
const splitLetters = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

function divided(word: string, fits: (part: string) => boolean): string[] {
  const parts: string[] = []
  for (const letter of splitLetters(word)) {
    const longer = `${parts.at(-1) ?? ''}${letter}`
    if (parts.length > 0 && fits(longer)) parts[parts.length - 1] = longer
    else parts.push(letter)
  }
  return parts
}

function cut(line: string, fits: (line: string) => boolean): string {
  const letters = splitLetters(line)
  while (letters.length > 1 && !fits(`${letters.join('')}…`)) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

const LINE = 1.25

/** Writes a text from `top` down and returns the `top` of the next text. */
export function drawText(
  doc: Doc,
  text: string,
  { left, top, width, lines, ...style }: Style & { left: number; top: number; width: number; lines: number },
): number {
  let y = top
  for (const line of wrapLines(doc, text, { width, lines, ...style })) {
    let x = left
    y += style.size * LINE
    for (const piece of splitPieces(line)) {
      doc.font(getFontName(piece.script, style.weight)).fontSize(style.size)
      doc.text(piece.text, x, y, { lineBreak: false, baseline: 'alphabetic' })
      x += doc.widthOfString(piece.text)
    }
  }
  return y + style.size * (LINE - 1)
}
