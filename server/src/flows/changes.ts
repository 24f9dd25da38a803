/**
 * Tells live views that something was committed. Called after the transaction, never inside: a listener reads what it
 * was told of. `roster`: a ticket changed. `gate`: also a heartbeat, a refusal or a conflict. `access`: a role changed
 * or an account went, so that a live view of its holder ends at once.
 */
export type Change = 'roster' | 'gate' | 'access'

export interface Changes {
  tell: (...changes: Change[]) => void
  /** Calls back after each change; the answer ends it. */
  listen: (heard: (change: Change) => void) => () => void
  /** How many listen now. */
  listeners: () => number
}

export function makeChanges(): Changes {
  const listeners = new Set<(change: Change) => void>()
  return {
    tell: (...changes) => {
      for (const change of changes) for (const heard of listeners) heard(change)
    },
    listen: (heard) => {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
    listeners: () => listeners.size,
  }
}
