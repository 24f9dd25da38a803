/**
 * Tells live views that something was committed, never before it was. A subscriber reads what changed. `roster`: a ticket changed. `evening`: also a heartbeat, a refusal or a conflict. `access`: a role
 * changed or an account was deleted, so a live view of its holder ends at once. `jobs`: there is work to be done.
 */
export type Change = 'roster' | 'evening' | 'access' | 'jobs'

export interface Changes {
  publish: (...changes: Change[]) => void
  /** Calls back after each change; the function returned ends the subscription. */
  subscribe: (onChange: (change: Change) => void) => () => void
  /** The present number of subscribers. */
  subscribers: () => number
}

export function makeChanges(): Changes {
  const subscribers = new Set<(change: Change) => void>()
  return {
    publish: (...changes) => {
      for (const change of changes) for (const onChange of subscribers) onChange(change)
    },
    subscribe: (onChange) => {
      subscribers.add(onChange)
      return () => subscribers.delete(onChange)
    },
    subscribers: () => subscribers.size,
  }
}
