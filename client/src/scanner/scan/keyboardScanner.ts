import { decodeGroupQr } from '@garba/shared/rules/groupQr'
import { decodeQr } from '@garba/shared/rules/qr'

/**
 * A USB or Bluetooth scanner is a keyboard to the phone: it types the code and then Enter, faster than anyone can. It
 * assumes a US keyboard, so with another layout on this device other characters arrive.
 */
export interface Keystroke {
  /** The character that arrived; 'Dead' for a key that waits for another one. */
  key: string
  /** The key's place on the keyboard, such as 'KeyY'; '' where the browser does not know it. */
  code: string
  shift: boolean
  /** ms, of any clock. */
  at: number
}

/** After a longer pause a new text begins. A busy phone, or a weak Bluetooth link, can hold up a key in the middle of a code. */
const GAP_MAX_MS = 500
/** People who type fast need twice as long for a key. */
const MEAN_GAP_MAX_MS = 50
const LENGTH_MIN = 6
/** Nobody presses Tab or Enter sooner after another key. */
const NEXT_KEY_MIN_MS = 100

/** The keystrokes of one scan so far. A slow key, or too many keys, start a new scan. */
export function collect(before: readonly Keystroke[], next: Keystroke): readonly Keystroke[] {
  const last = before.at(-1)
  const goesOn = last !== undefined && next.at - last.at <= GAP_MAX_MS && before.length < 4_096
  return goesOn ? [...before, next] : [next]
}

/** Whether a scanner typed this, and not a person. `endedAt` is the time of Enter. */
export function isScanned(strokes: readonly Keystroke[], endedAt: number): boolean {
  const [first] = strokes
  const last = strokes.at(-1)
  if (!first || !last || strokes.length < LENGTH_MIN || endedAt - last.at > GAP_MAX_MS) return false
  return (last.at - first.at) / (strokes.length - 1) <= MEAN_GAP_MAX_MS
}

/** The keys of a US keyboard, row by row, without and with Shift. Other layouts list the same keys. */
const US = [
  "1234567890-=qwertyuiop[]asdfghjkl;'\\zxcvbnm,./",
  '!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:"|ZXCVBNM<>?',
] as const
const LAYOUTS: readonly (readonly [plain: string, shifted: string])[] = [
  // German, French, Spanish, Italian, Swedish, Portuguese, Brazilian, Turkish.
  ['1234567890ß´qwertzuiopü+asdfghjklöä#yxcvbnm,.-', '!"§$%&/()=?`QWERTZUIOPÜ*ASDFGHJKLÖÄ\'YXCVBNM;:_'],
  ['&é"\'(-è_çà)=azertyuiop^$qsdfghjklmù*wxcvbn,;:!', '1234567890°+AZERTYUIOP¨£QSDFGHJKLM%µWXCVBN?./§'],
  ["1234567890'¡qwertyuiop`+asdfghjklñ´çzxcvbnm,.-", '!"·$%&/()=?¿QWERTYUIOP^*ASDFGHJKLÑ¨ÇZXCVBNM;:_'],
  ["1234567890'ìqwertyuiopè+asdfghjklòàùzxcvbnm,.-", '!"£$%&/()=?^QWERTYUIOPé*ASDFGHJKLç°§ZXCVBNM;:_'],
  ["1234567890+´qwertyuiopå¨asdfghjklöä'zxcvbnm,.-", '!"#¤%&/()=?`QWERTYUIOPÅ^ASDFGHJKLÖÄ*ZXCVBNM;:_'],
  ["1234567890'«qwertyuiop+´asdfghjklçº~zxcvbnm,.-", '!"#$%&/()=?»QWERTYUIOP*`ASDFGHJKLÇª^ZXCVBNM;:_'],
  ['1234567890-=qwertyuiop´[asdfghjklç~]zxcvbnm,.;', '!@#$%¨&*()_+QWERTYUIOP`{ASDFGHJKLÇ^}ZXCVBNM<>:'],
  ['1234567890*-qwertyuıopğüasdfghjklşi,zxcvbnmöç.', "!'^+%&/()=?_QWERTYUIOPĞÜASDFGHJKLŞİ;ZXCVBNMÖÇ:"],
]
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

type Layout = (typeof LAYOUTS)[number]

/** The character of a layout's key at a place, or null. */
const at = ([plain, shifted]: Layout, place: number, shift: boolean): string | null =>
  (shift ? shifted : plain).charAt(place) || null

/** The character that `to` has where `from` has this one, or null. */
function moved(character: string, from: Layout, to: Layout): string | null {
  const [plain, shifted] = from
  const place = plain.indexOf(character)
  return place >= 0 ? at(to, place, false) : at(to, shifted.indexOf(character), true)
}

const textOf = (strokes: readonly Keystroke[], read: (stroke: Keystroke) => string | null): string | null => {
  let text = ''
  for (const stroke of strokes) {
    const character = read(stroke)
    if (character === null) return null
    text += character
  }
  // With Caps Lock on, letters arrive in lower case. Codes have none.
  return text.toUpperCase()
}

const isWellFormed = (text: string | null): text is string =>
  text !== null && (decodeQr(text) !== null || decodeGroupQr(text) !== null)

/** It begins as our codes do, whatever the layout made of the colon, and is as long as one. */
const looksLikeOurs = (text: string): boolean => text.length >= 100 && /^G[RBG]1/i.test(text)

export type Scanned =
  | { type: 'code'; text: string }
  /** One of our codes, but several layouts or none make sense of it. */
  | { type: 'otherLayout' }

/** Returns what a scanner read. Characters of another keyboard layout are corrected if exactly one layout explains them. */
export function readKeystrokes(strokes: readonly Keystroke[]): Scanned {
  const typed = strokes.map(({ key }) => key).join('')
  const asTyped = textOf(strokes, ({ key }) => key)
  if (isWellFormed(asTyped)) return { type: 'code', text: asTyped }
  const byPlace = (layout: Layout) => textOf(strokes, ({ code, shift }) => at(layout, PLACES.indexOf(code), shift))
  // The places of the keys say what a scanner with a US keyboard meant, whatever this device made of them.
  const byUsLayout = byPlace(US)
  if (isWellFormed(byUsLayout)) return { type: 'code', text: byUsLayout }
  const readings = LAYOUTS.flatMap((layout) => [
    byPlace(layout),
    textOf(strokes, ({ key }) => moved(key, layout, US)),
    textOf(strokes, ({ key }) => moved(key, US, layout)),
  ])
  const [only, ...others] = new Set(readings.filter(isWellFormed))
  if (only !== undefined && others.length === 0) return { type: 'code', text: only }
  const ours = only !== undefined || [typed, byUsLayout ?? ''].some(looksLikeOurs)
  return ours ? { type: 'otherLayout' } : { type: 'code', text: typed }
}

/** Where a person types; what arrives there is never a scan. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'])
/** These move the focus, press what has it, or close what is open. */
const ACTS = /^(Tab|Enter|Escape| |Backspace|Delete|Arrow.+|Home|End|Page.+|F\d+)$/

/**
 * Passes what a hardware scanner types to `onScanned`. Keys of a scan reach nothing else: Enter would press the button
 * that has the focus, and a hostile code may hold Tabs and Enters that lead to another. Returns a function that stops it.
 */
export function listenToScanner(onScanned: (scanned: Scanned) => void): () => void {
  let strokes: readonly Keystroke[] = []
  let lastAt = Number.NEGATIVE_INFINITY
  /** A scanner is typing: the last keys came faster than a person's, without a pause since. */
  let typing = false
  const swallow = (event: KeyboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  const onKey = (event: KeyboardEvent) => {
    if (MODIFIERS.has(event.key)) return
    const gap = event.timeStamp - lastAt
    // A key that is held down repeats just as fast.
    typing = !event.repeat && gap <= (typing ? GAP_MAX_MS : NEXT_KEY_MIN_MS)
    lastAt = event.timeStamp
    if (isField(event.target) || event.isComposing || event.ctrlKey || event.metaKey) {
      // Text may arrive this fast in a field; Tab leaves it.
      typing = false
      if (event.key !== 'Tab') lastAt = Number.NEGATIVE_INFINITY
      strokes = []
      return
    }
    if (event.key === 'Enter') {
      const scanned = isScanned(strokes, event.timeStamp)
      if (scanned || typing) swallow(event)
      // One Enter after another may be a person's: the first has put the focus on the next button.
      else lastAt = Number.NEGATIVE_INFINITY
      if (scanned) onScanned(readKeystrokes(strokes))
      strokes = []
      return
    }
    if (typing && ACTS.test(event.key)) swallow(event)
    // Shift and the like are keys of their own.
    if (event.key.length > 1 && event.key !== 'Dead') return
    strokes = collect(strokes, { key: event.key, code: event.code, shift: event.shiftKey, at: event.timeStamp })
    // Firefox would search the page for what follows a slash.
    if (strokes.length > 2) event.preventDefault()
  }
  window.addEventListener('keydown', onKey, { capture: true })
  return () => window.removeEventListener('keydown', onKey, { capture: true })
}
