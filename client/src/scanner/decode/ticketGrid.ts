import { BLOCK, blockFrom, DATA } from './correction.ts'
import type { Luma } from './luma.ts'
import { type Corners, isTicketText, TICKET_SIDE } from './reading.ts'
import { findLikeliestTicket, meansAround } from './ticketPlace.ts'

/**
 * Reads a ticket's code that was located but not read. A ticket is always a version 5-M symbol, so its fixed marks show how it
 * lies and bends, and the certainty of each module shows which codewords to erase (correction.ts).
 */

const SIDE = TICKET_SIDE
const BLOCKS = 2

const isFunction = (x: number, y: number): boolean =>
  (x < 9 && y < 9) ||
  (x >= SIDE - 8 && y < 9) ||
  (x < 9 && y >= SIDE - 8) ||
  x === 6 ||
  y === 6 ||
  (Math.abs(x - 30) <= 2 && Math.abs(y - 30) <= 2)

/** Index of the module of each data bit, in the order in which the bits are placed. */
const PLACES: readonly number[] = (() => {
  const places: number[] = []
  for (let right = SIDE - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right -= 1
    for (let i = 0; i < SIDE; i++) {
      const y = isUp ? SIDE - 1 - i : i
      for (const x of [right, right - 1]) if (!isFunction(x, y)) places.push(y * SIDE + x)
    }
  }
  return places
})()

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

const FORMATS: readonly number[] = MASKS.map((_, mask) => {
  let rest = mask << 10
  for (let bit = 14; bit >= 10; bit--) if ((rest >> bit) & 1) rest ^= 0x537 << (bit - 10)
  return ((mask << 10) | rest) ^ 0x5412
})
/** The modules of both copies of the format bits, lowest bit first. */
const FORMAT_PLACES: readonly (readonly [number, number])[] = [
  ...Array.from({ length: 15 }, (_, i): [number, number] => [8, i < 6 ? i : i < 8 ? i + 1 : SIDE - 15 + i]),
  ...Array.from({ length: 15 }, (_, i): [number, number] => [i < 8 ? SIDE - 1 - i : i === 8 ? 7 : 14 - i, 8]),
]

interface Try {
  /** The share of each neighbour's light that has spilled over and is subtracted. */
  spill: number
  /** Doubts modules that stand out unevenly from their surroundings, because something may cover them. */
  doubts: boolean
  /** Stretches the scale just above the darkest: where ink ran, light modules among dark are only a little lighter. */
  isDeep?: boolean
}

const DEEP: Try = { spill: 0.7, doubts: false, isDeep: true }

const TRIES: readonly (readonly Try[])[] = [
  [{ spill: 0.22, doubts: true }, DEEP, { spill: 0, doubts: true }],
  [{ spill: 0.22, doubts: false }, DEEP, { spill: 0.36, doubts: true }],
]
/** How many modules on each side make up the surroundings that a module is compared with. */
const SURROUNDINGS = 4
/** Differences in certainty between neighbours count as noise below this share of the mean square. */
const UNREST = 0.1
/** Differences in light count as noise below this share of the mean light above the darkest. */
const DEPTH = 0.15

const computeMean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** The light above the darkest module nearby, on a logarithmic scale. */
function deepened(modules: Float64Array): Float64Array {
  const above = modules.map((value, i) => {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)]
    let darkest = value
    for (let row = Math.max(0, y - SURROUNDINGS); row <= Math.min(SIDE - 1, y + SURROUNDINGS); row++)
      for (let column = Math.max(0, x - SURROUNDINGS); column <= Math.min(SIDE - 1, x + SURROUNDINGS); column++)
        darkest = Math.min(darkest, modules[row * SIDE + column] ?? darkest)
    return value - darkest
  })
  const least = DEPTH * computeMean(above) + 1e-9
  return above.map((value) => Math.log(value + least))
}

/** Positive = dark, negative = light; the further from 0, the more certain. */
function certainties(given: Float64Array, { spill, doubts, isDeep = false }: Try): Float64Array {
  const modules = isDeep ? deepened(given) : given
  const at = (x: number, y: number) =>
    modules[Math.min(SIDE - 1, Math.max(0, y)) * SIDE + Math.min(SIDE - 1, Math.max(0, x))] ?? 0
  const sharp = modules.map((value, i) => {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)]
    return value + spill * (4 * value - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1))
  })
  const values = meansAround(sharp, SURROUNDINGS).map((mean, i) => mean - (sharp[i] ?? 0))
  if (!doubts) return values
  const sizes = values.map(Math.abs)
  const near = meansAround(sizes, 1)
  const uneven = meansAround(
    sizes.map((size, i) => (size - (near[i] ?? 0)) ** 2),
    1,
  )
  const noise = UNREST * computeMean(sizes) ** 2 + 1e-9
  return values.map((value, i) => (value * (near[i] ?? 0)) / ((uneven[i] ?? 0) + noise))
}

/** The likeliest mask by both copies of the format bits, and the runner-up if it is nearly as likely. */
function listLikelyMasks(certain: Float64Array): number[] {
  const most = certain.reduce((sum, value) => sum + Math.abs(value), 0) / certain.length
  const likeness = FORMATS.map((format) =>
    FORMAT_PLACES.reduce((sum, [x, y], i) => {
      const value = Math.max(-most, Math.min(most, certain[y * SIDE + x] ?? 0))
      return sum + ((format >> (i % 15)) & 1 ? value : -value)
    }, 0),
  )
  const [best = 0, next = 0] = Array.from(MASKS.keys()).sort((a, b) => (likeness[b] ?? 0) - (likeness[a] ?? 0))
  return (likeness[next] ?? 0) > 0.6 * (likeness[best] ?? 0) ? [best, next] : [best]
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'
const ALPHANUMERIC = 2

function decodeAlphanumeric(data: Uint8Array): string | null {
  let at = 0
  const bits = (count: number) => {
    let value = 0
    for (let i = 0; i < count; i++, at++) value = (value << 1) | (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1)
    return value
  }
  if (bits(4) !== ALPHANUMERIC) return null
  const length = bits(9)
  let text = ''
  while (text.length + 1 < length) {
    const pair = bits(11)
    text += ALPHABET.charAt(Math.floor(pair / 45)) + ALPHABET.charAt(pair % 45)
  }
  return text.length < length ? text + ALPHABET.charAt(bits(6)) : text
}

function textWith(certain: Float64Array, mask: number): string | null {
  const isFlipped = MASKS[mask]
  if (!isFlipped) return null
  const data: number[] = []
  for (let block = 0; block < BLOCKS; block++) {
    const codewords = new Uint8Array(BLOCK)
    const certainty = new Float64Array(BLOCK * 8)
    for (let i = 0; i < BLOCK * 8; i++) {
      const word = i >> 3
      const place = PLACES[(word * BLOCKS + block) * 8 + (i & 7)] ?? 0
      const value = certain[place] ?? 0
      const isOne = value > 0 !== isFlipped(place % SIDE, Math.floor(place / SIDE))
      codewords[word] = ((codewords[word] ?? 0) << 1) | (isOne ? 1 : 0)
      certainty[i] = Math.abs(value)
    }
    const whole = blockFrom(codewords, certainty)
    if (!whole) return null
    data.push(...whole.subarray(0, DATA))
  }
  const text = decodeAlphanumeric(Uint8Array.from(data))
  return text !== null && isTicketText(text) ? text : null
}

/** The result at the likeliest place: the ticket that was read, or whether a ticket certainly lies there. */
export interface TicketGridResult {
  reading: { text: string; corners: Corners } | null
  isSure: boolean
}

export function readAt(luma: Luma, places: readonly Corners[], turn: number): TicketGridResult | null {
  const found = findLikeliestTicket(luma, places)
  if (!found) return null
  const { modules, corners, isSure } = found
  for (const weights of TRIES[turn % TRIES.length] ?? []) {
    const certain = certainties(modules, weights)
    for (const mask of listLikelyMasks(certain)) {
      const text = textWith(certain, mask)
      if (text !== null) return { reading: { text, corners }, isSure }
    }
  }
  return { reading: null, isSure }
}
