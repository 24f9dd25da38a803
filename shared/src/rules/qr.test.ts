import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PublicKey } from '../contracts/phones/scan.ts'
import { ulidOf } from '../testing/ids.ts'
import { decodeQr, encodeQr, importPrivateKey, makeKeyPair, QR_LENGTH, readQr, signQr } from './qr.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ$%*+-./:'
const EVENT = ulidOf(500)
const OTHER_EVENT = ulidOf(501)
const TICKET = ulidOf(1)

const tickets = fc
  .tuple(
    fc.constantFrom(...'01234567'),
    fc.string({ unit: fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'), minLength: 25, maxLength: 25 }),
  )
  .map((parts) => parts.join(''))
const signatures = fc.uint8Array({ minLength: 64, maxLength: 64 }).map((bytes) => new Uint8Array(bytes))

interface Signer {
  key: PublicKey
  sign: (ticketId: string) => Promise<string>
}

async function aSigner(eventId: string, kid: string): Promise<Signer> {
  const { publicJwk, privateJwk } = await makeKeyPair()
  const privateKey = await importPrivateKey(privateJwk)
  return {
    key: { kid, eventId, jwk: publicJwk },
    sign: (ticketId) => signQr({ ticketId, eventId, privateKey }),
  }
}

let ours: Signer
let theirs: Signer
let text: string
const read = (code: string, keys: readonly PublicKey[] = [ours.key]) => readQr({ text: code, keys, eventId: EVENT })

beforeAll(async () => {
  ours = await aSigner(EVENT, 'ours')
  theirs = await aSigner(OTHER_EVENT, 'theirs')
  text = await ours.sign(TICKET)
})

describe('the format', () => {
  test('any ticket and signature come back from their text', () => {
    fc.assert(
      fc.property(tickets, signatures, (ticketId, signature) => {
        expect(decodeQr(encodeQr({ ticketId, signature }))).toEqual({ ticketId, signature })
      }),
    )
  })

  test('the lowest and the highest content have codes too', () => {
    const lowest = { ticketId: '0'.repeat(26), signature: new Uint8Array(64) }
    const highest = { ticketId: `7${'Z'.repeat(25)}`, signature: new Uint8Array(64).fill(255) }
    expect(encodeQr(lowest)).toBe(`GR1:${'0'.repeat(118)}`)
    expect(decodeQr(encodeQr(lowest))).toEqual(lowest)
    expect(decodeQr(encodeQr(highest))).toEqual(highest)
  })

  test('whatever decodes is the canonical text of its content', () => {
    const digits = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 118, maxLength: 118 })
    fc.assert(
      fc.property(digits, fc.boolean(), (body, low) => {
        const code = `GR1:${low ? '0' : ''}${body}`.slice(0, QR_LENGTH)
        const content = decodeQr(code)
        if (content) expect(encodeQr(content)).toBe(code)
      }),
    )
  })

  test('a number too large for its 80 bytes is refused, although its digits are all good', () => {
    const last = encodeQr({ ticketId: `7${'Z'.repeat(25)}`, signature: new Uint8Array(64).fill(255) })
    const next = last.slice(0, -1) + ALPHABET.charAt(ALPHABET.indexOf(last.slice(-1)) + 1)
    expect(decodeQr(next)).toBeNull()
    expect(decodeQr(`GR1:${':'.repeat(118)}`)).toBeNull()
  })

  test('lower case, spaces, other lengths and other versions are refused', () => {
    const refused = [
      text.toLowerCase(),
      ` ${text}`,
      `${text} `,
      `${text}\n`,
      text.replace('GR1:', 'GR1: '),
      `${text.slice(0, 60)} ${text.slice(61)}`,
      text.slice(0, -1),
      `${text}0`,
      text.slice(4),
      text.replace('GR1:', 'GR2:'),
      text.replace('GR1:', 'gr1:'),
      `https://garba.test/${text}`,
      '',
      'GR1:',
    ]
    for (const code of refused) expect(decodeQr(code), JSON.stringify(code)).toBeNull()
  })

  test('ids and signatures of the wrong form are not encoded', () => {
    const signature = new Uint8Array(64)
    for (const ticketId of ['', TICKET.toLowerCase(), TICKET.slice(1), `8${TICKET.slice(1)}`])
      expect(() => encodeQr({ ticketId, signature })).toThrow(RangeError)
    expect(() => encodeQr({ ticketId: TICKET, signature: new Uint8Array(63) })).toThrow(RangeError)
  })

  test('a code is 122 characters and fits QR version 5 at level M, which holds not one more', () => {
    // ISO/IEC 18004: 5-M has 86 data codewords. Alphanumeric mode: 4 bits of mode, 9 of count, 11 for each pair, 6 for one left.
    const capacity = 86 * 8
    const bits = (length: number) => 4 + 9 + Math.floor(length / 2) * 11 + (length % 2) * 6
    expect(text).toHaveLength(122)
    expect(QR_LENGTH).toBe(122)
    expect(text).toMatch(/^[0-9A-Z $%*+\-./:]+$/)
    expect(bits(122)).toBeLessThanOrEqual(capacity)
    expect(bits(123)).toBeGreaterThan(capacity)
  })
})

describe('reading a code at the gate', () => {
  test('a ticket of this event signed by its key is genuine', async () => {
    expect(await read(text)).toEqual({ type: 'genuine', ticketId: TICKET })
  })

  test('any ticket signed by the key reads as itself', async () => {
    await fc.assert(
      fc.asyncProperty(tickets, async (ticketId) => {
        expect(await read(await ours.sign(ticketId))).toEqual({ type: 'genuine', ticketId })
      }),
      { numRuns: 50 },
    )
  })

  test('a code with any one character changed is never genuine', async () => {
    const place = fc.integer({ min: 0, max: QR_LENGTH - 1 })
    await fc.assert(
      fc.asyncProperty(place, fc.constantFrom(...ALPHABET, ' ', 'a', '\u0000', '€'), async (index, character) => {
        fc.pre(text[index] !== character)
        const changed = text.slice(0, index) + character + text.slice(index + 1)
        expect((await read(changed)).type).toMatch(/^(forged|malformed)$/)
      }),
      { numRuns: 500 },
    )
  })

  test('every place of the code counts', async () => {
    for (let index = 0; index < QR_LENGTH; index++) {
      const other = text[index] === '0' ? '1' : '0'
      const changed = text.slice(0, index) + other + text.slice(index + 1)
      expect((await read(changed)).type, `character ${index}`).not.toBe('genuine')
    }
  })

  test("a signature under another ticket's id is forged", async () => {
    const content = decodeQr(text)
    if (!content) throw new Error('The code of the test must decode')
    const stolen = encodeQr({ ticketId: ulidOf(2), signature: content.signature })
    expect(await read(stolen)).toEqual({ type: 'forged', ticketId: ulidOf(2) })
  })

  test("another event's ticket is recognised when its key is known", async () => {
    const code = await theirs.sign(TICKET)
    expect(await read(code, [theirs.key, ours.key])).toEqual({
      type: 'otherEvent',
      ticketId: TICKET,
      eventId: OTHER_EVENT,
    })
  })

  test("another event's ticket is forged when its key is not known", async () => {
    expect(await read(await theirs.sign(TICKET))).toEqual({ type: 'forged', ticketId: TICKET })
  })

  test('one key that signs two events still separates their tickets', async () => {
    const sameKeyElsewhere = { ...ours.key, kid: 'elsewhere', eventId: OTHER_EVENT }
    const facts = await readQr({ text, keys: [ours.key, sameKeyElsewhere], eventId: OTHER_EVENT })
    expect(facts).toEqual({ type: 'otherEvent', ticketId: TICKET, eventId: EVENT })
  })

  test('a ticket signed by another key in the name of this event is forged', async () => {
    const impostor = await aSigner(EVENT, 'impostor')
    expect(await read(await impostor.sign(TICKET))).toEqual({ type: 'forged', ticketId: TICKET })
  })

  test('after a change of keys the old codes are still genuine', async () => {
    const renewed = await aSigner(EVENT, 'renewed')
    expect(await read(text, [renewed.key, ours.key])).toEqual({ type: 'genuine', ticketId: TICKET })
  })

  test('without any key nothing is genuine', async () => {
    expect(await read(text, [])).toEqual({ type: 'forged', ticketId: TICKET })
  })

  test('no text whatever makes the reader throw or call it genuine', async () => {
    const anything = fc.oneof(
      fc.string(),
      // Fast-check's own `binary` first makes a map of all characters, for more than a second.
      fc.string({ unit: fc.nat(0x10_ffff).map((code) => String.fromCodePoint(code)) }),
      fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 118, maxLength: 118 }).map((body) => `GR1:${body}`),
      fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 117, maxLength: 117 }).map((body) => `GR1:0${body}`),
    )
    await fc.assert(
      fc.asyncProperty(anything, async (code) => {
        expect((await read(code)).type).toMatch(/^(malformed|forged)$/)
      }),
      { numRuns: 500 },
    )
  })
})
