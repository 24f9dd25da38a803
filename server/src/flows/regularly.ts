import type { Deps } from './deps.ts'

/**
 * Repeats work at intervals until the server stops, one round at a time. A failed round is logged and does not stop the
 * next one. A read-only server does nothing. Returns a function that waits for the round in progress.
 */
export function runRegularly(
  { work, everyMs, atStart, failed }: { work: () => Promise<void>; everyMs: number; atStart: boolean; failed: string },
  { stopping, log, epoch }: Pick<Deps, 'stopping' | 'log' | 'epoch'>,
): () => Promise<void> {
  let round: Promise<void> | null = null
  const runRound = () => {
    if (stopping.aborted || epoch.readOnly() !== null) return
    round ??= work()
      .catch((err: unknown) => {
        if (!stopping.aborted) log.error({ err }, failed)
      })
      .finally(() => {
        round = null
      })
  }
  if (atStart) epoch.onceWriting(runRound)
  const timer = setInterval(runRound, everyMs).unref()
  stopping.addEventListener('abort', () => clearInterval(timer), { once: true })
  return () => round ?? Promise.resolve()
}
