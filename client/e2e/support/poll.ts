const PATIENCE_MS = 20_000

/** Resolves to the first answer of `look` that is neither undefined nor false. */
export async function pollUntil<T>(
  look: () => Promise<T | undefined | false>,
  what: string,
  { everyMs = 10, patienceMs = PATIENCE_MS } = {},
): Promise<T> {
  for (const end = Date.now() + patienceMs; ; await new Promise((resolve) => setTimeout(resolve, everyMs))) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    if (Date.now() > end) throw new Error(`Timed out waiting for ${what}`)
  }
}
