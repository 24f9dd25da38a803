import {
  appendKeystroke,
  findCodePart,
  findKeyedCode,
  GAP_MAX_MS,
  hasScannerGaps,
  isScannerPace,
  type Keystroke,
  longestGap,
  meanGap,
  startOfBurst,
  typedText,
} from './readKeys.ts'

export type ScannerInput =
  | { type: 'code'; text: string }
  /** One of our codes, but the scanner's keyboard is not a US one. */
  | { type: 'otherLayout' }
  | { type: 'other'; text: string }
type TakeInput = (input: ScannerInput) => void

/** On a field: a code that is scanned into it becomes the ticket's id, and other text may be scanned into it. */
export const TAKES_CODES = { 'data-takes-codes': '' }

let taker: TakeInput | null = null

/** While a screen is shown, it takes what a scanner types outside the fields that take codes. */
export function takeScans(take: TakeInput): () => void {
  taker = take
  return () => {
    if (taker === take) taker = null
  }
}

type TextField = HTMLInputElement | HTMLTextAreaElement
interface PressedKey extends Keystroke {
  field: { element: TextField; text: string } | null
}

const isTextField = (target: EventTarget | null): target is TextField =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !/^(checkbox|radio|button|submit|file|range)$/.test(target.type))

function writeText(element: TextField, text: string): void {
  if (element.value === text) return
  // The element's own setter hides the change from React.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set?.call(element, text)
  element.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock'])
/** These move the focus, press what has it, or close what is open. */
const ACTS = /^(Tab|Enter|Escape| |Backspace|Delete|Arrow.+|Home|End|Page.+|F\d+)$/
/** Nobody at a gate presses one of these keys sooner after another key. */
const NEXT_KEY_MIN_MS = 100
/** Nobody presses one of these keys this soon after several characters at a scanner's pace outside a field. */
const NEXT_KEY_AFTER_TEXT_MS = 250
/** A choice that letters change waits this long, because a scanner may be typing them. */
const HOLD_MS = 300
/** A timer that is later than this shows that the page was busy. */
const LATE_MS = 100
/** After a code, keys at the scanner's pace belong to it. */
const TAIL_GAP_MS = 150
/** The Enter of a weak link comes late. */
const END_GAP_MS = 1_500

/** What other barcodes carry: figures, at most with capitals. */
const BARCODE = /^[^a-z ]*\d[^a-z ]*$/

/** Some scanners send a line feed or a carriage return as Ctrl and a letter. */
const isControlEnd = ({ ctrlKey, altKey, code, key }: KeyboardEvent) =>
  ctrlKey && !altKey && (/^Key[JM]$/.test(code) || /^[jm]$/i.test(key))
const isEnd = (event: KeyboardEvent) => event.key === 'Enter' || event.key === 'Tab' || isControlEnd(event)
/** In ALT mode a scanner holds Alt and types each character's number on the number pad. */
const padDigit = ({ altKey, code }: KeyboardEvent) => (altKey ? (/^Numpad(\d)$/.exec(code)?.[1] ?? null) : null)
const choiceAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof HTMLElement && target.matches('select, button[role="combobox"]') ? target : null

function swallow(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

/**
 * Keeps what a hardware scanner types from fields, buttons and shortcuts, because Enter would sell a ticket and a
 * hostile code may hold Tabs and Enters. The form of a code decides at any pace; without that form, a pace that nobody
 * types at. A code's ticket goes into a field that takes codes; everything else goes to the screen shown, or else to
 * `elsewhere`. `atGate`: keys that move the focus or press are a scanner's too, if they follow each other faster than
 * fingers at a gate; at a desk they may be a person's. Returns a function that stops it.
 */
export function listenToScanner(elsewhere: TakeInput, { atGate }: { atGate: boolean }): () => void {
  let strokes: readonly PressedKey[] = []
  let lastAt = Number.NEGATIVE_INFINITY
  /** A scanner is typing outside a field: the last keys came faster than a person's, without a pause since. */
  let typing = false
  /** After a code: the longest pause before a key that still belongs to it. */
  let tail: number | null = null
  let pad = ''
  let pause: ReturnType<typeof setTimeout> | undefined
  let held: KeyboardEvent[] = []
  let releasing = false

  const takeOut = (start: number): TextField | null => {
    held = []
    const fields = new Map<TextField, string>()
    for (const { field } of strokes.slice(start))
      if (field && !fields.has(field.element)) fields.set(field.element, field.text)
    for (const [element, text] of fields) writeText(element, text)
    return strokes.at(-1)?.field?.element ?? null
  }
  const begin = () => {
    strokes = []
    typing = false
  }
  const give = (input: ScannerInput) => (taker ?? elsewhere)(input)
  const readCode = (): boolean => {
    const found = findKeyedCode(strokes)
    if (!found) return false
    const { at } = found
    const field = takeOut(startOfBurst(strokes, at))
    tail = Math.max(TAIL_GAP_MS, 3 * meanGap(strokes.slice(at)))
    strokes = []
    if (field?.matches('[data-takes-codes]') && found.ticketId) writeText(field, found.ticketId)
    else give({ type: 'code', text: found.text })
    return true
  }
  /** A scanner typed something else: tells the screen. False if a person may have typed it. */
  const readOther = (): boolean => {
    const part = findCodePart(strokes)
    const inField = strokes.some(({ field }) => field !== null)
    if (part < 0 && !isScannerPace(strokes, { inField })) return false
    // Text that is pasted or dictated key by key has words; what is on a bottle or a box has figures.
    if (part < 0 && inField && !BARCODE.test(typedText(strokes))) return false
    const field = strokes.at(-1)?.field?.element
    if (part < 0 && field?.matches('[data-takes-codes]')) return true
    const start = startOfBurst(strokes, Math.max(0, part))
    const text = typedText(strokes.slice(start)).trim()
    takeOut(start)
    strokes = []
    give(part < 0 ? { type: 'other', text } : { type: 'otherLayout' })
    return true
  }
  const wait = (ms: number) => {
    const from = performance.now()
    clearTimeout(pause)
    pause = setTimeout(() => {
      // A busy page runs the timer before the keys that arrived meanwhile.
      if (performance.now() - from > ms + LATE_MS) return wait(HOLD_MS)
      // The time of the next key tells whether the text has ended.
      if (tail === null) readOther()
      release()
    }, ms)
  }
  const release = () => {
    const keys = held
    held = []
    releasing = true
    for (const { target, key, code, shiftKey } of keys)
      target?.dispatchEvent(new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true }))
    releasing = false
  }
  const add = (stroke: Keystroke, target: EventTarget | null): boolean => {
    const field = isTextField(target) ? { element: target, text: target.value } : null
    strokes = appendKeystroke(strokes, { ...stroke, field })
    return readCode()
  }

  const onDown = (event: KeyboardEvent) => {
    if (releasing || (MODIFIERS.has(event.key) && event.key !== 'Alt')) return
    const { key, code, shiftKey: shift, timeStamp: at, target } = event
    const gap = at - lastAt
    const longest = longestGap(strokes)
    wait(choiceAt(target) ? HOLD_MS : longest + 1)
    if (gap > longest) begin()
    lastAt = at
    if (key === 'Alt') {
      pad = ''
      return
    }
    const digit = padDigit(event)
    if (digit !== null) {
      pad += digit
      // Without Num Lock they are arrows, which with Alt leave the page.
      return swallow(event)
    }
    const end = isEnd(event)
    if (tail !== null && key !== 'Escape') {
      if (gap <= (end ? END_GAP_MS : tail)) {
        swallow(event)
        if (end) strokes = []
        else if (key.length === 1 && !event.ctrlKey) add({ key, code, shift, at }, target)
        return
      }
      tail = null
    }
    if ((event.ctrlKey || event.metaKey) && !end && key.length === 1 && !event.altKey) return begin()
    const field = isTextField(target)
    const isText = strokes.length > 2 && hasScannerGaps(strokes)
    const soon = isText ? NEXT_KEY_AFTER_TEXT_MS : atGate ? NEXT_KEY_MIN_MS : -1
    // A key that is held down repeats just as fast.
    typing = !field && !event.repeat && gap <= (typing ? GAP_MAX_MS : soon)
    if (end) {
      const scanned = readOther()
      if (scanned || typing || (isControlEnd(event) && gap <= GAP_MAX_MS)) swallow(event)
      // One Enter after another may be a person's: the first has put the focus on the next button.
      else if (key === 'Enter') lastAt = Number.NEGATIVE_INFINITY
      if (scanned) tail = GAP_MAX_MS
      strokes = []
      return
    }
    if (typing && ACTS.test(key)) swallow(event)
    // Dead keys wait for another key, and input methods name none.
    if (event.repeat || (key.length > 1 && !/^(Dead|Process|Unidentified)$/.test(key))) return
    if (add({ key, code, shift, at }, target)) return swallow(event)
    if (choiceAt(target) && key !== ' ') {
      held.push(event)
      swallow(event)
    }
    // Firefox would search the page for what follows a slash.
    else if (!field && strokes.length > 2) event.preventDefault()
  }
  const onUp = (event: KeyboardEvent) => {
    if (event.key !== 'Alt' || pad === '') return
    const key = String.fromCharCode(Number(pad))
    pad = ''
    // Releasing Alt opens the browser's menu.
    event.preventDefault()
    add({ key, code: '', shift: false, at: event.timeStamp }, event.target)
  }
  /** In ALT mode the character comes after the key. */
  const onPress = (event: KeyboardEvent) => {
    if (tail !== null && event.timeStamp - lastAt <= tail) swallow(event)
  }
  const capture = { capture: true }
  window.addEventListener('keydown', onDown, capture)
  window.addEventListener('keyup', onUp, capture)
  window.addEventListener('keypress', onPress, capture)
  return () => {
    clearTimeout(pause)
    window.removeEventListener('keydown', onDown, capture)
    window.removeEventListener('keyup', onUp, capture)
    window.removeEventListener('keypress', onPress, capture)
  }
}
