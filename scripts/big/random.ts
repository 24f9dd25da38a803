/** Repeatable random values; all made-up data of the big seed comes from them. */
export interface Random {
  next: () => number
  int: (from: number, to: number) => number
  pick: <T>(list: readonly T[]) => T
  weighted: <T>(choices: readonly (readonly [value: T, weight: number])[]) => T
  chance: (probability: number) => boolean
  shuffled: <T>(list: readonly T[]) => T[]
  uuid: () => string
}

/** mulberry32: 32 bits of state are plenty for names and times. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  const pick = <T>(list: readonly T[]): T => given(list[int(0, list.length - 1)])
  return {
    next,
    int,
    pick,
    weighted: (choices) => {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [value, weight] of choices) {
        left -= weight
        if (left < 0) return value
      }
      return given(choices.at(-1))[0]
    },
    chance: (p) => next() < p,
    shuffled: (list) => {
      const drawn = [...list]
      for (let i = drawn.length - 1; i > 0; i--) {
        const j = int(0, i)
        ;[drawn[i], drawn[j]] = [given(drawn[j]), given(drawn[i])]
      }
      return drawn
    },
    uuid: () =>
      'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (sign) =>
        (sign === 'x' ? int(0, 15) : int(8, 11)).toString(16),
      ),
  }
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('Cannot pick from an empty list')
  return value
}
