import { encodeGroupQr } from '@garba/shared/rules/groupQr'
import { encodeQr, QR_ALPHABET } from '@garba/shared/rules/qr'
import { ulidOf } from '@garba/shared/testing/ids'
import { describe, expect, test } from 'vitest'
import { collect, isScanned, type Keystroke, readKeystrokes } from './keyboardScanner.ts'

/** Keys of the layouts on which a scanner that expects a US keyboard types: the character and the key's name. */
const US = ["1234567890-=qwertyuiop[]asdfghjkl;'\\zxcvbnm,./", '!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:"|ZXCVBNM<>?']
const GERMAN = ['1234567890ß´qwertzuiopü+asdfghjklöä#yxcvbnm,.-', '!"§$%&/()=?`QWERTZUIOPÜ*ASDFGHJKLÖÄ\'YXCVBNM;:_']
const FRENCH = ['&é"\'(-è_çà)=azertyuiop^$qsdfghjklmù*wxcvbn,;:!', '1234567890°+AZERTYUIOP¨£QSDFGHJKLM%µWXCVBN?./§']
const BRAZILIAN = ['1234567890-=qwertyuiop´[asdfghjklç~]zxcvbnm,.;', '!@#$%¨&*()_+QWERTYUIOP`{ASDFGHJKLÇ^}ZXCVBNM<>:']
const PLACES = [
  ...Array.from('1234567890', (digit) => `Digit${digit}`),
  'Minus',
  'Equal',
  ...Array.from('QWERTYUIOP', (letter) => `Key${letter}`),
  'BracketLeft',
  'BracketRight',
  ...Array.from('ASDFGHJKL', (letter) => `Key${letter}`),
  'Semicolon',
  'Quote',
  'Backslash',
  ...Array.from('ZXCVBNM', (letter) => `Key${letter}`),
  'Comma',
  'Period',
  'Slash',
]

/** What arrives when a scanner set to one layout types on a device set to another. */
function typed(text: string, { scanner = US, device = US, places = true, every = 8 } = {}): Keystroke[] {
  return Array.from(text, (character, index) => {
    const shift = !scanner[0]?.includes(character)
    const place = (shift ? scanner[1] : scanner[0])?.indexOf(character) ?? -1
    const key = (shift ? device[1] : device[0])?.charAt(place) ?? ''
    return { key, code: places ? (PLACES[place] ?? '') : '', shift, at: index * every }
  })
}

const signature = (seed: number) => Uint8Array.from({ length: 64 }, (_, at) => (at * 37 + seed * 101) % 256)
const CODES = [
  ...Array.from({ length: 20 }, (_, n) => encodeQr({ ticketId: ulidOf(n + 1), signature: signature(n) })),
  encodeGroupQr({ ticketIds: [ulidOf(1), ulidOf(2), ulidOf(3)], signature: signature(3) }),
]

test('the codes of this test have every character that layouts move', () => {
  expect(new Set(CODES.join(''))).toEqual(new Set(QR_ALPHABET))
})

describe.each([
  ['the same keyboard', {}],
  ['a device with a German keyboard', { device: GERMAN }],
  ['a device with a French keyboard', { device: FRENCH }],
  ['a device with a Brazilian keyboard', { device: BRAZILIAN }],
  ['a scanner with a French keyboard', { scanner: FRENCH }],
  ['a device with a French keyboard that does not name its keys', { device: FRENCH, places: false }],
])('%s', (_name, layouts) => {
  test('every code arrives as it was printed', () => {
    for (const text of CODES) expect(readKeystrokes(typed(text, layouts))).toEqual({ type: 'code', text })
  })
})

test('Caps Lock changes nothing', () => {
  for (const text of CODES)
    expect(readKeystrokes(typed(text).map((one) => ({ ...one, key: one.key.toLowerCase(), code: '' })))).toEqual({
      type: 'code',
      text,
    })
})

test('where several layouts would explain a code, none is guessed', () => {
  // A German and a Spanish keyboard differ in Y and Z alone, as far as codes go.
  const text = CODES.find((one) => /[YZ]/.test(one)) ?? ''
  expect(readKeystrokes(typed(text, { scanner: GERMAN }))).toEqual({ type: 'otherLayout' })
})

test('the code of something else is passed on as it was typed', () => {
  expect(readKeystrokes(typed('https://example.org/a?b=1'))).toEqual({
    type: 'code',
    text: 'https://example.org/a?b=1',
  })
})

const gather = (strokes: readonly Keystroke[]) => strokes.reduce<readonly Keystroke[]>(collect, [])

test('a key that was held up does not cut a code in two; after a pause a new text begins', () => {
  const [text = ''] = CODES
  const late = typed(text).map((one, index) => (index < 60 ? one : { ...one, at: one.at + 400 }))
  expect(readKeystrokes(gather(late))).toEqual({ type: 'code', text })
  const after = typed(`ABC${text}`).map((one, index) => (index < 3 ? one : { ...one, at: one.at + 600 }))
  expect(readKeystrokes(gather(after))).toEqual({ type: 'code', text })
})

test('people are not taken for a scanner, however fast they type', () => {
  const last = (strokes: readonly Keystroke[]) => strokes.at(-1)?.at ?? 0
  for (const [every, scanned] of [
    [5, true],
    [40, true],
    [70, false],
    [130, false],
  ] as const) {
    const strokes = gather(typed(CODES[0] ?? '', { every }))
    expect(isScanned(strokes, last(strokes) + every), `every ${every} ms`).toBe(scanned)
  }
  const strokes = gather(typed('GR1:AB'))
  expect(isScanned(strokes, last(strokes) + 501)).toBe(false)
  expect(isScanned(gather(typed('AB')), 9)).toBe(false)
})
