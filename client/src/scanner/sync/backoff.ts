const FIRST_MS = 2_000
const LAST_MS = 60_000

/** How long to wait before try number `tries` (from 1), ms: doubling, with a quarter of chance so that a gate's phones spread out. */
export function backoffMs({ tries, chance }: { tries: number; chance: number }): number {
  const plain = Math.min(FIRST_MS * 2 ** Math.max(tries - 1, 0), LAST_MS)
  return Math.round(plain * (0.75 + chance / 2))
}
