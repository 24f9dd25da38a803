import { type CodeWithin, findCode } from '@garba/shared/rules/groupQr'

/**
 * A USB or Bluetooth scanner is a keyboard to the device: it types the code. It assumes a US keyboard, so with another
 * layout on this device other characters arrive.
 */
export interface Keystroke {
  /** The character that arrived; a longer name for a key that gave none, such as 'Dead'. */
  key: string
  /** The key's place on the keyboard, such as 'KeyY'; '' where the browser does not know it. */
  code: string
  shift: boolean
  /** ms, of any clock. */
  at: number
}

/** After a longer pause a new text begins. A busy phone, or a weak Bluetooth link, can hold up a key in the middle of a code. */
export const GAP_MAX_MS = 500
const GAP_IN_CODE_MAX_MS = 2_000
/** Longer than any code, with room for what is before it. */
const STROKES_MAX = 400

export const longestGap = (strokes: readonly Keystroke[]): number =>
  readsPart(strokes, BEGUN) < 0 ? GAP_MAX_MS : GAP_IN_CODE_MAX_MS

export function appendKeystroke<S extends Keystroke>(before: readonly S[], next: S): readonly S[] {
  const gap = next.at - (before.at(-1)?.at ?? Number.NEGATIVE_INFINITY)
  const goesOn = gap <= GAP_MAX_MS || gap <= longestGap(before)
  return goesOn ? [...before.slice(1 - STROKES_MAX), next] : [next]
}

export function meanGap(strokes: readonly Keystroke[]): number {
  const [first, last] = [strokes[0], strokes.at(-1)]
  return first && last && strokes.length > 1 ? (last.at - first.at) / (strokes.length - 1) : Number.POSITIVE_INFINITY
}

/** The mean time between a scanner's keys is at most this. People who type fast need twice as long for a key. */
const SCANNER_GAP_MS = 50
export const hasScannerGaps = (strokes: readonly Keystroke[]): boolean => meanGap(strokes) <= SCANNER_GAP_MS

interface Pace {
  length: number
  gapMs: number
}
const FAST: Pace = { length: 6, gapMs: SCANNER_GAP_MS }
/** In a field more proof is needed, because the text is taken out of it. */
const FAST_IN_FIELD: Pace = { length: 8, gapMs: 30 }

export function isScannerPace(strokes: readonly Keystroke[], { inField }: { inField: boolean }): boolean {
  const { length, gapMs } = inField ? FAST_IN_FIELD : FAST
  return strokes.length >= length && meanGap(strokes) <= gapMs
}

/** The keys of a US keyboard, row by row, without and with Shift. */
const PLAIN = "1234567890-=qwertyuiop[]asdfghjkl;'\\zxcvbnm,./"
const SHIFTED = '!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:"|ZXCVBNM<>?'
const PLACES: readonly string[] = [
  ...Array.from('1234567890', (digit) => `Digit${digit}`),
  ...['Minus', 'Equal'],
  ...Array.from('QWERTYUIOP', (letter) => `Key${letter}`),
  ...['BracketLeft', 'BracketRight'],
  ...Array.from('ASDFGHJKL', (letter) => `Key${letter}`),
  ...['Semicolon', 'Quote', 'Backslash'],
  ...Array.from('ZXCVBNM', (letter) => `Key${letter}`),
  ...['Comma', 'Period', 'Slash'],
]

/** Stands for a key that gave no character, so that the text has one character for each keystroke. */
const NONE = '\0'

/** With Caps Lock on, letters arrive in lower case. Codes have none. */
function upper(character: string): string {
  const large = character.toUpperCase()
  return large.length === 1 ? large : character
}

const textFrom = (strokes: readonly Keystroke[], read: (stroke: Keystroke) => string): string =>
  strokes.map((stroke) => upper(read(stroke))).join('')

const readAsTyped = (strokes: readonly Keystroke[]) => textFrom(strokes, ({ key }) => (key.length === 1 ? key : NONE))
/** The places of the keys say what a scanner with a US keyboard meant, whatever this device made of them. */
const readByPlace = (strokes: readonly Keystroke[]) =>
  textFrom(strokes, ({ code, shift, key }) =>
    code === 'Space' || key === ' ' ? ' ' : (shift ? SHIFTED : PLAIN).charAt(PLACES.indexOf(code)) || NONE,
  )

/** The text of the app's test code. It does not have a ticket's form, so it admits nobody. */
export const SELF_TEST_TEXT = 'GARBA SCANNER SELF TEST'
const SHORTEST = SELF_TEST_TEXT.length

const findAny = (text: string): CodeWithin | null => {
  const at = text.indexOf(SELF_TEST_TEXT)
  return at < 0 ? findCode(text) : { text: SELF_TEST_TEXT, at, ticketId: '' }
}

/** The code that the keystrokes of a scanner with a US keyboard hold, with anything around it, on a device with any keyboard. */
export const findKeyedCode = (strokes: readonly Keystroke[]): CodeWithin | null =>
  strokes.length < SHORTEST ? null : (findAny(readAsTyped(strokes)) ?? findAny(readByPlace(strokes)))

/** One of our codes begins, whatever the layout made of its colon. */
const BEGUN = /G[RBG]1./
const PART = /G[RBG]1.[^ ]{20}/
const readsPart = (strokes: readonly Keystroke[], part: RegExp): number =>
  Math.max(readAsTyped(strokes).search(part), readByPlace(strokes).search(part))

export const findCodePart = (strokes: readonly Keystroke[]): number => readsPart(strokes, PART)

export const typedText = (strokes: readonly Keystroke[]): string =>
  strokes.map(({ key }) => (key.length === 1 ? key : '')).join('')

/** A person who typed needs longer (ms) to pull the scanner's trigger. */
const BEFORE_CODE_MS = 200

/** The first keystroke of the burst around `at`, with what came before it at the same pace, such as an AIM id. */
export function startOfBurst(strokes: readonly Keystroke[], at: number): number {
  const pause = Math.max(BEFORE_CODE_MS, 2.5 * meanGap(strokes.slice(at)))
  let start = at
  while (start > 0 && (strokes[start]?.at ?? 0) - (strokes[start - 1]?.at ?? 0) <= pause) start -= 1
  return start
}
