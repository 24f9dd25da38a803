import type { Deps } from './deps.ts'

interface Regular {
  work: () => Promise<void>
  everyMs: number
  /** Whether the first round begins at once instead of after the first interval. */
  atStart: boolean
  /** The log message for a failed round. */
  failed: string
}

/**
 * Repeats work at intervals until the server stops, one round at a time. A failed round is logged and does not stop the
 * next one. A read-only server does nothing. Returns a function that waits for the round in progress.
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
