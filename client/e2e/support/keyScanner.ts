import type { CDPSession, Page } from '@playwright/test'

const ALT = 1
const CONTROL = 2
const SHIFT = 8
const ROWS = [
  ["`1234567890-=[]\\;',./ ", '~!@#$%^&*()_+{}|:"<>? '],
  [
    [192, 49, 50, 51, 52, 53, 54, 55, 56, 57, 48, 189, 187, 219, 221, 220, 186, 222, 188, 190, 191, 32],
    'Backquote Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 Minus Equal BracketLeft BracketRight Backslash Semicolon Quote Comma Period Slash Space'.split(
      ' ',
    ),
  ],
] as const
const NAMED = { Enter: [13, '\r'], Tab: [9] } as const

interface Stroke {
  code: string
  key: string
  windowsVirtualKeyCode: number
  modifiers?: number
  text?: string
}

/** The key of a US keyboard that types a character. */
function strokeFor(character: string): Stroke {
  const [[plain, shifted], [numbers, codes]] = ROWS
  const large = character.toUpperCase()
  const modifiers = (/[A-Z]/.test(character) || shifted.indexOf(character) >= 0) && character !== ' ' ? SHIFT : 0
  if (/[A-Z]/.test(large))
    return {
      code: `Key${large}`,
      key: character,
      windowsVirtualKeyCode: large.charCodeAt(0),
      modifiers,
      text: character,
    }
  const at = Math.max(plain.indexOf(character), shifted.indexOf(character))
  return {
    code: codes[at] ?? '',
    key: character,
    windowsVirtualKeyCode: numbers[at] ?? 0,
    modifiers,
    text: character,
  }
}

/**
 * A hardware scanner or a person: real key events of Chromium, with the times of the keys. A page with Playwright's clock
 * sees the times at which they arrive, so pauses are waited for.
 */
export class KeyScanner {
  private readonly keyboard: CDPSession
  /** The time of the last key, in seconds. Never in the future, which Chromium would correct. */
  private now = Date.now() / 1000
  private pauseMs = 0
  /** When the last key had arrived, in seconds. */
  private arrivedAt = 0

  private constructor(keyboard: CDPSession) {
    this.keyboard = keyboard
  }

  static async on(page: Page): Promise<KeyScanner> {
    return new KeyScanner(await page.context().newCDPSession(page))
  }

  /** A pause before the next key. */
  rest(ms = 2_500): void {
    this.pauseMs = ms
  }

  /** Waits until keys that take so long (ms) may have been pressed after the last one and the pause. */
  private async begin(spanMs: number): Promise<void> {
    const earliest = Math.max(this.now, this.arrivedAt) + this.pauseMs / 1000
    const isLater = this.pauseMs > 0
    this.pauseMs = 0
    if (!isLater) return
    const missing = earliest + spanMs / 1000 - Date.now() / 1000
    if (missing > 0) await new Promise((resolve) => setTimeout(resolve, missing * 1000))
    this.now = Date.now() / 1000 - spanMs / 1000
  }

  private async send(strokes: readonly Stroke[], delay: number): Promise<void> {
    await Promise.all(
      strokes.flatMap((stroke) => {
        this.now += delay / 1000
        const timestamp = this.now
        const { text: _, ...up } = stroke
        return [
          this.keyboard.send('Input.dispatchKeyEvent', {
            ...stroke,
            type: stroke.text === undefined ? 'rawKeyDown' : 'keyDown',
            timestamp,
          }),
          this.keyboard.send('Input.dispatchKeyEvent', { ...up, type: 'keyUp', timestamp }),
        ]
      }),
    )
    this.arrivedAt = Date.now() / 1000
  }

  async type(text: string, { delay = 4 }: { delay?: number } = {}): Promise<void> {
    await this.begin(text.length * delay)
    await this.send([...text].map(strokeFor), delay)
  }

  async press(key: keyof typeof NAMED, { delay = 4 }: { delay?: number } = {}): Promise<void> {
    const [windowsVirtualKeyCode, text] = NAMED[key]
    await this.send([{ code: key, key, windowsVirtualKeyCode, ...(text === undefined ? {} : { text }) }], delay)
  }

  /** A line feed, as scanners send it: Ctrl and J. */
  async lineFeed(): Promise<void> {
    await this.send([{ code: 'KeyJ', key: 'j', windowsVirtualKeyCode: 74, modifiers: CONTROL }], 4)
  }

  /** ALT mode: each character's number on the number pad, while Alt is held. */
  async typeByNumbers(text: string): Promise<void> {
    const alt = { code: 'AltLeft', key: 'Alt', windowsVirtualKeyCode: 18 }
    await this.begin(text.length * 16)
    for (const character of text) {
      this.now += 0.004
      const timestamp = this.now
      await this.keyboard.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...alt, modifiers: ALT, timestamp })
      const digits = [...`0${character.charCodeAt(0)}`]
      await this.send(
        digits.map((digit) => ({
          code: `Numpad${digit}`,
          key: digit,
          windowsVirtualKeyCode: 96 + Number(digit),
          modifiers: ALT,
        })),
        2,
      )
      await this.keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', ...alt, timestamp: this.now })
    }
  }
}
