/** A small seeded generator (mulberry32), so that every run of the bench sees the very same frames. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  between(low: number, high: number): number
  /** Whole number in [low, high]. */
  whole(low: number, high: number): number
  pick<T>(items: readonly [T, ...T[]]): T
}

export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  }
}

/** Standard normal values, drawn once: a frame needs a million and Box-Muller for each would dominate the bench. */
const NORMALS = (() => {
  const random = seeded(20250922)
  const table = new Float32Array(1 << 16)
  for (let i = 0; i < table.length; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - random.next()))
    const angle = 2 * Math.PI * random.next()
    table[i] = radius * Math.cos(angle)
    table[i + 1] = radius * Math.sin(angle)
  }
  return table
})()

/** A stream of normal values: the table read row by row from places the seed chooses. */
export function normals(seed: number): (count: number) => Float32Array {
  const random = seeded(seed)
  return (count) => {
    const from = random.whole(0, NORMALS.length - count - 1)
    return NORMALS.subarray(from, from + count)
  }
}
