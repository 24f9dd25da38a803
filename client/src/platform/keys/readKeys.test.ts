import { encodeGroupQr } from '@garba/shared/rules/groupQr'
import { encodeQr, QR_ALPHABET } from '@garba/shared/rules/qr'
import { ulidOf } from '@garba/shared/testing/ids'
import { describe, expect, test } from 'vitest'
import {
  appendKeystroke,
  findCodePart,
  findKeyedCode,
  isScannerPace,
  type Keystroke,
  SELF_TEST_TEXT,
  startOfBurst,
} from './readKeys.ts'

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

const read = (strokes: readonly Keystroke[]) => findKeyedCode(strokes)?.text ?? null

describe.each([
  ['the same keyboard', {}],
  ['a device with a German keyboard', { device: GERMAN }],
  ['a device with a French keyboard', { device: FRENCH }],
  ['a device with a Brazilian keyboard', { device: BRAZILIAN }],
  ['a device with the same keyboard that does not name its keys', { places: false }],
])('%s', (_name, layouts) => {
  test('every code arrives as it was printed, at any pace', () => {
    for (const text of CODES) for (const every of [2, 120]) expect(read(typed(text, { ...layouts, every }))).toBe(text)
  })

  test('anything may be around a code', () => {
    for (const text of CODES) expect(read(typed(`]Q1${text}-END/`, layouts))).toBe(text)
  })
})

test('Caps Lock changes nothing', () => {
  for (const text of CODES)
    expect(read(typed(text).map((one) => ({ ...one, key: one.key.toLowerCase(), code: '' })))).toBe(text)
})

test('a code of a scanner with another keyboard is known as such', () => {
  const [text = ''] = CODES
  expect(read(typed(text, { scanner: GERMAN }))).toBeNull()
  expect(findCodePart(typed(text, { scanner: GERMAN }))).toBe(0)
})

test('the code of something else is none, a part of ours is known as such', () => {
  expect(read(typed('https://example.org/a?b=1'))).toBeNull()
  expect(findCodePart(typed('https://example.org/a?b=1'))).toBe(-1)
  const [text = ''] = CODES
  expect(read(typed(text.slice(0, 100)))).toBeNull()
  expect(findCodePart(typed(`]Q1${text.slice(0, 100)}`))).toBe(3)
  expect(findCodePart(typed(text.slice(0, 100), { device: GERMAN }))).toBe(0)
})

test('the test code of the readiness check is read', () => {
  const strokes = Array.from(`]Q1${SELF_TEST_TEXT}`, (key, index) => ({ key, code: '', shift: false, at: index * 100 }))
  expect(read(strokes)).toBe(SELF_TEST_TEXT)
})

const gather = (strokes: readonly Keystroke[]) => strokes.reduce<readonly Keystroke[]>(appendKeystroke, [])

test('a key that was held up does not cut a code in two; after a pause a new text begins', () => {
  const [text = ''] = CODES
  const late = typed(text).map((one, index) => (index < 60 ? one : { ...one, at: one.at + 400 }))
  expect(read(gather(late))).toBe(text)
  const after = typed(`ABC${text}`).map((one, index) => (index < 3 ? one : { ...one, at: one.at + 600 }))
  expect(gather(after)).toHaveLength(text.length)
})

test('what a person typed shortly before a scan does not belong to it, what the scanner puts before the code does', () => {
  const [text = ''] = CODES
  const strokes = typed(`Asha]Q1${text}`).map((one, index) => ({ ...one, at: index < 4 ? index * 120 : 700 + one.at }))
  expect(startOfBurst(strokes, 7)).toBe(4)
})

test('without a code, people are not taken for a scanner, however fast they type', () => {
  for (const [every, outside, inField] of [
    [5, true, true],
    [40, true, false],
    [70, false, false],
  ] as const) {
    const strokes = gather(typed('8901030865278', { every }))
    expect(isScannerPace(strokes, { inField: false }), `every ${every} ms`).toBe(outside)
    expect(isScannerPace(strokes, { inField: true }), `every ${every} ms in a field`).toBe(inField)
  }
  expect(isScannerPace(gather(typed('AB')), { inField: false })).toBe(false)
})
