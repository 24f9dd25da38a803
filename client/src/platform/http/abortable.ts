/**
 * The promise, or the signal's reason as soon as it is given up, or a TimeoutError after `ms`. What was begun goes on
 * unheard: only the waiting ends.
 */
export async function abortable<T>(
  promise: Promise<T>,
  { signal, ms }: { signal?: AbortSignal | undefined; ms?: number },
) {
  const ends = AbortSignal.any([...(signal ? [signal] : []), ...(ms === undefined ? [] : [AbortSignal.timeout(ms)])])
  ends.throwIfAborted()
  const given = Promise.withResolvers<never>()
  const giveUp = () => given.reject(ends.reason)
  ends.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([promise, given.promise])
  } finally {
    ends.removeEventListener('abort', giveUp)
  }
}
