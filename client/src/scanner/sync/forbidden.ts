import { isFailure } from '../../platform/http/failure.ts'

const listeners = new Set<() => void>()

/** Registers what happens when our own server refuses the user's role. Returns the way to unregister. */
export function onForbidden(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A portal may answer 403 as well; only our server has a word for it. */
export function noteRefusal(error: unknown): void {
  if (isFailure(error) && error.code === 'FORBIDDEN') for (const listener of listeners) listener()
}
