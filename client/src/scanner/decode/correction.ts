/**
 * Reed-Solomon over GF(256) for a block of a version 5-M symbol. The least certain codewords and bits count as erasures: twice as
 * many erasures as errors can be corrected, and as many missing bits as there are check bits.
 */

export const BLOCK = 67
export const DATA = 43
const CHECKS = BLOCK - DATA
/** Check codewords left unused, so that noise cannot pass for a text. */
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
const valueAt = (polynomial: ArrayLike<number>, x: number): number => {
  let value = 0
  for (let i = polynomial.length - 1; i >= 0; i--) value = times(value, x) ^ (polynomial[i] ?? 0)
  return value
}

function computeSyndromes(block: Uint8Array): number[] {
  const reversed = block.slice().reverse()
  return Array.from({ length: CHECKS }, (_, i) => valueAt(reversed, exp(i)))
}

/**
 * The block with its missing and wrong codewords replaced, or null if that would use the spare check codewords too.
 * Berlekamp-Massey, started with the erasure locator (Blahut).
 */
export function correctBlock(block: Uint8Array, missing: readonly number[]): Uint8Array | null {
  const last = block.length - 1
  const syndromes = computeSyndromes(block)
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

/** Forney's algorithm: corrects the value at each position of the locator. */
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
  return computeSyndromes(result).every((value) => value === 0) ? result : null
}

const WORDS = CHECKS / 4
/** Bits erased when all others count as right, and when up to two of them may be wrong. 24 and 56 check bits are left over. */
const MISSING_MOST = CHECKS * 8 - 24
const MISSING_FEWER = CHECKS * 8 - 56

/**
 * How each bit of a block, when wrong, changes the syndromes. The second half of the words records which missing bits a sum
 * consists of.
 */
const TRACES: readonly Uint32Array[] = Array.from({ length: BLOCK * 8 }, (_, bit) =>
  packed(Array.from({ length: CHECKS }, (_, i) => times(0x80 >> (bit & 7), exp(i * (BLOCK - 1 - (bit >> 3)))))),
)
const copyTrace = (bit: number): Uint32Array => TRACES[bit]?.slice() ?? new Uint32Array(2 * WORDS)

function packed(bytes: readonly number[]): Uint32Array {
  const words = new Uint32Array(2 * WORDS)
  for (const [i, value] of bytes.entries()) words[i >> 2] = (words[i >> 2] ?? 0) | (value << ((i & 3) * 8))
  return words
}

/** A row of the elimination: a sum of missing bits' traces, and its pivot bit, which no later row has. */
interface Step {
  trace: Uint32Array
  word: number
  pivot: number
}

function add(to: Uint32Array, other: Uint32Array): void {
  for (let word = 0; word < to.length; word++) to[word] = (to[word] ?? 0) ^ (other[word] ?? 0)
}

function takeOff(trace: Uint32Array, steps: readonly Step[], count: number): Uint32Array {
  for (let i = 0; i < count && i < steps.length; i++) {
    const step = steps[i]
    if (step && (trace[step.word] ?? 0) & step.pivot) add(trace, step.trace)
  }
  return trace
}

const isExplained = (trace: Uint32Array) => {
  for (let word = 0; word < WORDS; word++) if (trace[word] !== 0) return false
  return true
}

/** The elimination's steps for the missing bits, in order. A bit whose trace follows from earlier bits gets no step. */
function stepsFor(missing: readonly number[]): Step[] {
  const steps: Step[] = []
  for (const [i, bit] of missing.entries()) {
    const trace = copyTrace(bit)
    trace[WORDS + (i >> 5)] = 1 << (i & 31)
    takeOff(trace, steps, steps.length)
    const word = trace.findIndex((value) => value !== 0)
    if (word < WORDS) steps.push({ trace, word, pivot: (trace[word] ?? 0) & -(trace[word] ?? 0) })
  }
  return steps
}

function hashTrace(trace: Uint32Array): number {
  let hash = 0
  for (let word = 0; word < WORDS; word++) hash = Math.imul(hash ^ (trace[word] ?? 0), 0x9e3779b1) ^ (hash >>> 15)
  return hash
}

function alsoWrong(rest: Uint32Array, steps: readonly Step[], others: readonly number[]): number[] | null {
  const seen = new Map<number, number>()
  const left = (bit: number) => takeOff(copyTrace(bit), steps, MISSING_FEWER)
  const isRest = (trace: Uint32Array) => {
    add(trace, rest)
    return isExplained(trace)
  }
  for (const bit of others) {
    const trace = left(bit)
    const hash = hashTrace(trace)
    // `isRest` has turned this trace into the trace that a second wrong bit would need.
    if (isRest(trace)) return [bit]
    const other = seen.get(hashTrace(trace))
    if (other !== undefined) {
      add(trace, left(other))
      if (isExplained(trace)) return [other, bit]
    }
    seen.set(hash, bit)
  }
  return null
}

/** The block with its least certain bits replaced by those that the others imply; null if these contradict each other. */
export function completeBlock(block: Uint8Array, certainty: Float64Array): Uint8Array | null {
  const doubts = Array.from(certainty.keys()).sort((a, b) => (certainty[a] ?? 0) - (certainty[b] ?? 0))
  const missing = doubts.slice(0, MISSING_MOST)
  const steps = stepsFor(missing)
  const result = block.slice()
  const flip = (bit: number) => {
    result[bit >> 3] = (result[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7))
  }
  let rest = takeOff(packed(computeSyndromes(block)), steps, steps.length)
  if (!isExplained(rest)) {
    const wrong = alsoWrong(
      takeOff(packed(computeSyndromes(block)), steps, MISSING_FEWER),
      steps,
      doubts.slice(MISSING_FEWER),
    )
    if (!wrong) return null
    for (const bit of wrong) flip(bit)
    rest = takeOff(packed(computeSyndromes(result)), steps, MISSING_FEWER)
  }
  for (const [i, bit] of missing.entries()) if ((rest[WORDS + (i >> 5)] ?? 0) & (1 << (i & 31))) flip(bit)
  return result
}

export function blockFrom(codewords: Uint8Array, certainty: Float64Array): Uint8Array | null {
  const sure = Array.from(codewords, (_, word) => Math.min(...certainty.subarray(word * 8, word * 8 + 8)))
  const doubts = Array.from(sure.keys()).sort((a, b) => (sure[a] ?? 0) - (sure[b] ?? 0))
  for (let missing = 1; missing <= CHECKS - SPARE; missing += 4) {
    const block = correctBlock(codewords, doubts.slice(0, missing))
    if (block) return block
  }
  return completeBlock(codewords, certainty)
}
