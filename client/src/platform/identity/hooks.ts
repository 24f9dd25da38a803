import pTimeout from 'p-timeout'

type Hook = (context: { uid: string | null }) => void | Promise<void>

const signOutHooks = new Set<Hook>()
const HOOK_TIMEOUT_MS = 5_000

/**
 * Registers what to remove when a user signs out on this device: caches, wallets. Unsent scans stay. Runs in
 * every open tab. Returns a function that unregisters it.
 */
export function onSignOut(hook: Hook): () => void {
  signOutHooks.add(hook)
  return () => signOutHooks.delete(hook)
}

export const runSignOutHooks = (uid: string | null): Promise<void> => runAll(signOutHooks, { uid })

/** Runs all hooks; one that fails or hangs blocks neither signing out nor a change of role. */
async function runAll<C>(hooks: ReadonlySet<(context: C) => void | Promise<void>>, context: C): Promise<void> {
  const run = async (hook: (context: C) => void | Promise<void>) =>
    pTimeout(Promise.resolve(hook(context)), { milliseconds: HOOK_TIMEOUT_MS, message: false })
  for (const result of await Promise.allSettled(Array.from(hooks, run)))
    if (result.status === 'rejected') console.error('Some data was not cleared', result.reason)
}

const roleHooks = new Set<() => void | Promise<void>>()

/** Registers what to remove when a user stops being a checker. Returns a function that unregisters it. */
export function onCheckerLost(hook: () => void | Promise<void>): () => void {
  roleHooks.add(hook)
  return () => roleHooks.delete(hook)
}

export const runCheckerLostHooks = (): Promise<void> => runAll(roleHooks, undefined)

const lostHandlers = new Set<() => void>()

/** Registers what a shell does when the server ends the session. Returns a function that unregisters it. */
export function onSessionLost(handler: () => void): () => void {
  lostHandlers.add(handler)
  return () => lostHandlers.delete(handler)
}

export function runSessionLostHandlers(): void {
  for (const handler of lostHandlers) handler()
}
