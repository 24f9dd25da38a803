import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PublicKey } from '../contracts/phones/scan.ts'
import { ulidOf } from '../testing/ids.ts'
import {
  decodeGroupQr,
  encodeGroupQr,
  type GroupFact,
  isGroupText,
  memberFact,
  readGroupQr,
  signGroupQr,
  splitIntoGroups,
} from './groupQr.ts'
import { CROCKFORD, decodeQr, importPrivateKey, makeKeyPair, QR_ALPHABET, readQr } from './qr.ts'

const EVENT = ulidOf(500)
const OTHER_EVENT = ulidOf(501)
const FOUR = [ulidOf(1), ulidOf(2), ulidOf(3), ulidOf(4)]

const ids = fc
  .tuple(
    fc.constantFrom(...'01234567'),
    fc.string({ unit: fc.constantFrom(...CROCKFORD), minLength: 25, maxLength: 25 }),
  )
  .map((parts) => parts.join(''))
const groups = fc.uniqueArray(ids, { minLength: 2, maxLength: 8 })
const signatures = fc.uint8Array({ minLength: 64, maxLength: 64 }).map((bytes) => new Uint8Array(bytes))

interface Signer {
  key: PublicKey
  sign: (ticketIds: readonly string[]) => Promise<string>
}

async function aSigner(eventId: string, kid: string): Promise<Signer> {
  const { publicJwk, privateJwk } = await makeKeyPair()
  const privateKey = await importPrivateKey(privateJwk)
  return {
    key: { kid, eventId, jwk: publicJwk },
    sign: (ticketIds) => signGroupQr({ ticketIds, eventId, privateKey }),
  }
}

let ours: Signer
let theirs: Signer
let text: string
const read = (code: string, keys: readonly PublicKey[] = [ours.key]): Promise<GroupFact> =>
  readGroupQr({ text: code, keys, eventId: EVENT })

beforeAll(async () => {
  ours = await aSigner(EVENT, 'ours')
  theirs = await aSigner(OTHER_EVENT, 'theirs')
  text = await ours.sign(FOUR)
})

describe('the format', () => {
  test('any group and signature come back from their text', () => {
    fc.assert(
      fc.property(groups, signatures, (ticketIds, signature) => {
        expect(decodeGroupQr(encodeGroupQr({ ticketIds, signature }))).toEqual({ ticketIds, signature })
      }),
    )
  })

  test('whatever decodes is the canonical text of its content', () => {
    const body = fc.string({ unit: fc.constantFrom(...QR_ALPHABET), minLength: 141, maxLength: 141 })
    fc.assert(
      fc.property(body, fc.boolean(), (digits, low) => {
        const code = `GG1:2${low ? `0${digits.slice(1)}` : digits}`
        const content = decodeGroupQr(code)
        if (content) expect(encodeGroupQr(content)).toBe(code)
      }),
    )
  })

  test('two to eight different tickets make a group; one, nine and a repeated one do not', () => {
    const signature = new Uint8Array(64)
    const many = Array.from({ length: 9 }, (_, index) => ulidOf(index + 1))
    expect(decodeGroupQr(encodeGroupQr({ ticketIds: many.slice(0, 8), signature }))?.ticketIds).toHaveLength(8)
    for (const ticketIds of [[], many.slice(0, 1), many, [ulidOf(1), ulidOf(2), ulidOf(1)], [ulidOf(1), 'x']])
      expect(() => encodeGroupQr({ ticketIds, signature })).toThrow(RangeError)
    expect(() => encodeGroupQr({ ticketIds: FOUR, signature: new Uint8Array(63) })).toThrow(RangeError)
  })

  test('a code that repeats an id is malformed, even with every digit in order', () => {
    // All zero bytes: two equal ids and an empty signature.
    const digits = encodeGroupQr({ ticketIds: [ulidOf(0), ulidOf(1)], signature: new Uint8Array(64) }).length - 5
    expect(decodeGroupQr(`GG1:2${'0'.repeat(digits)}`)).toBeNull()
  })

  test('lower case, spaces, other lengths, counts and prefixes are refused', () => {
    const body = text.slice(5)
    const refused = [
      text.toLowerCase(),
      ` ${text}`,
      `${text}\n`,
      text.slice(0, -1),
      `${text}0`,
      `GG1:3${body}`,
      `GG1:5${body}`,
      `GG1:9${body}`,
      `GG1:1${body}`,
      `GG2:4${body}`,
      `GR1:4${body}`,
      `GG1:4${':'.repeat(body.length)}`,
      'GG1:',
      'GG1:2',
      '',
    ]
    for (const code of refused) expect(decodeGroupQr(code), JSON.stringify(code)).toBeNull()
  })

  test('eight tickets fit QR version 10 at level M', () => {
    // ISO/IEC 18004: 10-M has 216 data codewords. Alphanumeric mode: 4 bits of mode, 11 of count, 11 for each pair, 6 for one left.
    const longest = encodeGroupQr({
      ticketIds: Array.from({ length: 8 }, (_, index) => `7${'Z'.repeat(24)}${index}`),
      signature: new Uint8Array(64).fill(255),
    })
    const bits = 4 + 11 + Math.floor(longest.length / 2) * 11 + (longest.length % 2) * 6
    expect(longest).toMatch(/^[0-9A-Z$%*+\-./:]+$/)
    expect(bits).toBeLessThanOrEqual(216 * 8)
  })

  test('neither kind of code is read as the other', async () => {
    expect(isGroupText(text)).toBe(true)
    expect(decodeQr(text)).toBeNull()
    expect(await readQr({ text, keys: [ours.key], eventId: EVENT })).toEqual({ type: 'malformed' })
  })
})

describe('reading a group code at the gate', () => {
  test('tickets of this event signed by its key are genuine, in their order', async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (ticketIds) => {
        expect(await read(await ours.sign(ticketIds))).toEqual({ type: 'genuine', ticketIds })
      }),
      { numRuns: 30 },
    )
  })

  test('no altered character leaves a code genuine', async () => {
    const characters = fc.constantFrom(...QR_ALPHABET, ' ', 'a', '\u0000', '€')
    const places = fc.integer({ min: 0, max: text.length - 1 })
    await fc.assert(
      fc.asyncProperty(places, characters, async (index, character) => {
        fc.pre(text[index] !== character)
        const changed = text.slice(0, index) + character + text.slice(index + 1)
        expect((await read(changed)).type).toMatch(/^(forged|malformed)$/)
      }),
      { numRuns: 500 },
    )
    for (let index = 0; index < text.length; index++) {
      const changed = text.slice(0, index) + (text[index] === '0' ? '1' : '0') + text.slice(index + 1)
      expect((await read(changed)).type, `character ${index}`).not.toBe('genuine')
    }
  })

  test('a signature over other tickets, or over the same in another order, is forged', async () => {
    const content = decodeGroupQr(text)
    if (!content) throw new Error('The code of the test must decode')
    for (const ticketIds of [FOUR.toReversed(), FOUR.with(0, ulidOf(9)), FOUR.slice(1), [...FOUR, ulidOf(5)]])
      expect(await read(encodeGroupQr({ ...content, ticketIds }))).toEqual({ type: 'forged', ticketIds })
  })

  test("another event's group is recognised by its key, and forged without it", async () => {
    const code = await theirs.sign(FOUR)
    expect(await read(code, [theirs.key, ours.key])).toEqual({
      type: 'otherEvent',
      ticketIds: FOUR,
      eventId: OTHER_EVENT,
    })
    expect(await read(code)).toEqual({ type: 'forged', ticketIds: FOUR })
    expect(await read(text, [])).toEqual({ type: 'forged', ticketIds: FOUR })
  })

  test('no text whatever makes the reader throw or call it genuine', async () => {
    const anything = fc.oneof(
      // Fast-check's own `binary` first makes a map of all characters, for more than a second.
      fc.string({ unit: fc.nat(0x10_ffff).map((code) => String.fromCodePoint(code)) }),
      fc.string({ unit: fc.constantFrom(...QR_ALPHABET), maxLength: 300 }).map((body) => `GG1:${body}`),
    )
    await fc.assert(
      fc.asyncProperty(anything, async (code) => {
        expect((await read(code)).type).toMatch(/^(malformed|forged)$/)
      }),
      { numRuns: 500 },
    )
  })
})

test('a group code stands for each ticket of its list, and for no other', async () => {
  const ticketId = ulidOf(2)
  const genuine = await read(text)
  const other = await read(await theirs.sign(FOUR), [theirs.key])
  expect(memberFact(genuine, ticketId)).toEqual({ type: 'genuine', ticketId })
  expect(memberFact(genuine, ulidOf(9))).toEqual({ type: 'forged', ticketId: ulidOf(9) })
  expect(memberFact(other, ticketId)).toEqual({ type: 'otherEvent', ticketId, eventId: OTHER_EVENT })
  expect(memberFact(other, ulidOf(9))).toEqual({ type: 'forged', ticketId: ulidOf(9) })
  expect(memberFact(await read(text, []), ticketId)).toEqual({ type: 'forged', ticketId })
  expect(memberFact(await read('GG1:'), ticketId)).toEqual({ type: 'malformed' })
})

test('tickets are divided into as few groups as possible, none of them of one', () => {
  fc.assert(
    fc.property(fc.uniqueArray(ids, { maxLength: 100 }), (ticketIds) => {
      const divided = splitIntoGroups(ticketIds)
      const sizes = divided.map(({ length }) => length)
      expect(divided.flat()).toEqual(ticketIds.length < 2 ? [] : ticketIds)
      expect(divided).toHaveLength(ticketIds.length < 2 ? 0 : Math.ceil(ticketIds.length / 8))
      for (const size of sizes) expect(size).toBeOneOf([2, 3, 4, 5, 6, 7, 8])
      expect(Math.max(0, ...sizes) - Math.min(8, ...sizes)).toBeLessThanOrEqual(1)
    }),
  )
})
