/**
 * Reed-Solomon over GF(256) for a block of a version 5-M symbol. The certainty of each bit says what to leave out: twice as
 * many missing codewords as wrong ones can be replaced, and as many missing bits as there are check bits.
 */

export const BLOCK = 67
export const DATA = 43
const CHECKS = BLOCK - DATA
/** Check codewords that must be left over, so that noise cannot pass for a text. */
const SPARE = 3

const EXP = new Uint8Array(512)
const LOG = new Uint8Array(256)
for (let power = 0, value = 1; power < 255; power++) {
  EXP[power] = value
  EXP[power + 255] = value
  LOG[value] = power
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0)
}
const exp = (power: number): number => EXP[((power % 255) + 255) % 255] ?? 0
const log = (value: number): number => LOG[value] ?? 0
const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : (EXP[log(a) + log(b)] ?? 0))
/** Value of a polynomial, lowest coefficient first. */
const valueAt = (polynomial: ArrayLike<number>, x: number): number => {
  let value = 0
  for (let i = polynomial.length - 1; i >= 0; i--) value = times(value, x) ^ (polynomial[i] ?? 0)
  return value
}

function syndromesOf(block: Uint8Array): number[] {
  const reversed = block.slice().reverse()
  return Array.from({ length: CHECKS }, (_, i) => valueAt(reversed, exp(i)))
}

/**
 * The block with its missing and wrong codewords replaced, or null if that takes more than the check codewords less the
 * spare ones allow. Berlekamp-Massey that begins with the missing places (Blahut).
 */
export function corrected(block: Uint8Array, missing: readonly number[]): Uint8Array | null {
  const last = block.length - 1
  const syndromes = syndromesOf(block)
  if (syndromes.every((value) => value === 0)) return block
  let locator: number[] = [1]
  for (const place of missing) {
    const root = exp(last - place)
    locator = Array.from({ length: locator.length + 1 }, (_, i) => (locator[i] ?? 0) ^ times(root, locator[i - 1] ?? 0))
  }
  let previous = locator
  let length = missing.length
  for (let step = missing.length; step < CHECKS; step++) {
    let gap = 0
    for (let i = 0; i < locator.length; i++) gap ^= times(locator[i] ?? 0, syndromes[step - i] ?? 0)
    previous = [0, ...previous]
    if (gap === 0) continue
    const size = Math.max(locator.length, previous.length)
    const next = Array.from({ length: size }, (_, i) => (locator[i] ?? 0) ^ times(gap, previous[i] ?? 0))
    if (2 * length <= step + missing.length) {
      length = step + 1 + missing.length - length
      previous = locator.map((value) => times(value, exp(-log(gap))))
    }
    locator = next
  }
  if (2 * length - missing.length > CHECKS - SPARE) return null
  return replaced({ block, locator, syndromes, length })
}

/** Forney: what each place named by the locator differs by. */
function replaced(found: {
  block: Uint8Array
  locator: readonly number[]
  syndromes: readonly number[]
  length: number
}) {
  const { block, locator, syndromes, length } = found
  const evaluator = syndromes.map((_, i) => {
    let sum = 0
    for (let j = 0; j <= i; j++) sum ^= times(syndromes[j] ?? 0, locator[i - j] ?? 0)
    return sum
  })
  const slope = locator.map((_, i) => (i % 2 === 0 ? (locator[i + 1] ?? 0) : 0))
  const result = block.slice()
  let count = 0
  for (let place = 0; place < block.length; place++) {
    const power = block.length - 1 - place
    const inverse = exp(-power)
    if (valueAt(locator, inverse) !== 0) continue
    const below = valueAt(slope, inverse)
    if (below === 0) return null
    count += 1
    result[place] = (result[place] ?? 0) ^ times(times(valueAt(evaluator, inverse), exp(-log(below))), exp(power))
  }
  if (count !== length) return null
  return syndromesOf(result).every((value) => value === 0) ? result : null
}

// ---- Missing bits ----

/** Words of 32 bits for the syndromes of a block. */
const WORDS = CHECKS / 4
/** Bits left out when every other is taken as right, and when up to two more may be wrong. 24 and 56 check bits are left over. */
const MISSING_MOST = CHECKS * 8 - 24
const MISSING_FEWER = CHECKS * 8 - 56

/** What each bit of a block, when wrong, does to the syndromes. */
const TRACES: readonly Uint32Array[] = Array.from({ length: BLOCK * 8 }, (_, bit) =>
  packed(Array.from({ length: CHECKS }, (_, i) => times(0x80 >> (bit & 7), exp(i * (BLOCK - 1 - (bit >> 3)))))),
)

function packed(bytes: readonly number[]): Uint32Array {
  const words = new Uint32Array(WORDS)
  for (const [i, value] of bytes.entries()) words[i >> 2] = (words[i >> 2] ?? 0) | (value << ((i & 3) * 8))
  return words
}

/** A trace made from others so that its pivot bit is in none after it; `parts` are those others. */
interface Step {
  trace: Uint32Array
  word: number
  pivot: number
  parts: Uint8Array
}

/** Takes the steps off a trace as far as they reach, noting what was taken; what is left cannot come from missing bits. */
function takeOff(trace: Uint32Array, parts: Uint8Array, steps: readonly Step[], count: number): void {
  for (let i = 0; i < count && i < steps.length; i++) {
    const step = steps[i]
    if (!step || ((trace[step.word] ?? 0) & step.pivot) === 0) continue
    for (let word = 0; word < WORDS; word++) trace[word] = (trace[word] ?? 0) ^ (step.trace[word] ?? 0)
    for (let part = 0; part < parts.length; part++) parts[part] = (parts[part] ?? 0) ^ (step.parts[part] ?? 0)
  }
}

/** The bits of one or two more codewords that explain what the missing ones leave. */
function alsoWrong(rest: Uint32Array, steps: readonly Step[], others: readonly number[]): number[] | null {
  const nameOf = (trace: Uint32Array) => trace.join()
  const seen = new Map<string, number>()
  for (const bit of others) {
    const trace = TRACES[bit]?.slice() ?? new Uint32Array(WORDS)
    takeOff(trace, new Uint8Array(0), steps, MISSING_FEWER)
    const name = nameOf(trace)
    if (name === nameOf(rest)) return [bit]
    const wanted = seen.get(nameOf(trace.map((value, i) => value ^ (rest[i] ?? 0))))
    if (wanted !== undefined) return [wanted, bit]
    seen.set(name, bit)
  }
  return null
}

/** The block with its least certain bits replaced by those that the others imply; null if these contradict each other. */
export function completed(block: Uint8Array, certainty: Float64Array): Uint8Array | null {
  const doubts = Array.from(certainty.keys()).sort((a, b) => (certainty[a] ?? 0) - (certainty[b] ?? 0))
  const missing = doubts.slice(0, MISSING_MOST)
  const steps: Step[] = []
  for (const [i, bit] of missing.entries()) {
    const trace = TRACES[bit]?.slice() ?? new Uint32Array(WORDS)
    const parts = new Uint8Array(MISSING_MOST)
    parts[i] = 1
    takeOff(trace, parts, steps, steps.length)
    const word = trace.findIndex((value) => value !== 0)
    if (word >= 0) steps.push({ trace, word, pivot: (trace[word] ?? 0) & -(trace[word] ?? 0), parts })
  }
  const syndromes = packed(syndromesOf(block))
  const [rest, parts] = [syndromes.slice(), new Uint8Array(MISSING_MOST)]
  takeOff(rest, parts, steps, steps.length)
  let wrong: number[] = []
  if (rest.some((value) => value !== 0)) {
    rest.set(syndromes)
    takeOff(rest, parts.fill(0), steps, MISSING_FEWER)
    const also = alsoWrong(rest, steps, doubts.slice(MISSING_FEWER))
    if (!also) return null
    for (const bit of also) {
      for (const [word, value] of (TRACES[bit] ?? []).entries()) syndromes[word] = (syndromes[word] ?? 0) ^ value
    }
    takeOff(syndromes, parts.fill(0), steps, MISSING_FEWER)
    wrong = also
  }
  const result = block.slice()
  const flip = (bit: number) => {
    result[bit >> 3] = (result[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7))
  }
  for (const bit of wrong) flip(bit)
  for (const [i, bit] of missing.entries()) if (parts[i]) flip(bit)
  return result
}

/** The block as its certain parts imply it: by codewords, with more and more of the least certain left out, then by bits. */
export function blockFrom(codewords: Uint8Array, certainty: Float64Array): Uint8Array | null {
  const sure = Array.from(codewords, (_, word) => Math.min(...certainty.subarray(word * 8, word * 8 + 8)))
  const doubts = Array.from(sure.keys()).sort((a, b) => (sure[a] ?? 0) - (sure[b] ?? 0))
  for (let missing = 1; missing <= CHECKS - SPARE; missing += 4) {
    const block = corrected(codewords, doubts.slice(0, missing))
    if (block) return block
  }
  return completed(codewords, certainty)
}
