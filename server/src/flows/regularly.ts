import type { Deps } from './deps.ts'

interface Regular {
  work: () => Promise<void>
  everyMs: number
  /** Whether the first round is now, not after the first interval. */
  atStart: boolean
  /** The log message for a failed round. */
  failed: string
}

/**
 * Repeats work at intervals until the server stops, one round at a time. A failed round is logged, and the next one
 * comes as usual. A server that must not write does nothing. Returns a wait for the round under way.
 */
export function regularly(
  { work, everyMs, atStart, failed }: Regular,
  { stopping, log, epoch }: Pick<Deps, 'stopping' | 'log' | 'epoch'>,
): () => Promise<void> {
  let round: Promise<void> | null = null
  const look = () => {
    if (stopping.aborted || epoch.readOnly() !== null) return
    round ??= work()
      .catch((err: unknown) => {
        if (!stopping.aborted) log.error({ err }, failed)
      })
      .finally(() => {
        round = null
      })
  }
  if (atStart) epoch.onceWriting(look)
  const timer = setInterval(look, everyMs).unref()
  stopping.addEventListener('abort', () => clearInterval(timer), { once: true })
  return () => round ?? Promise.resolve()
}
