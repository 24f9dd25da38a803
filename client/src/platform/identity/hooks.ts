import pTimeout from 'p-timeout'

type Hook = (context: { uid: string | null }) => void | Promise<void>

const signOutHooks = new Set<Hook>()
const HOOK_PATIENCE_MS = 5_000

/**
 * Registers what must go when a user leaves this device: caches, wallets. Unsent scans stay (DECISIONS 3). Runs in every
 * open tab. Returns the way to unregister.
 */
export function onSignOut(hook: Hook): () => void {
  signOutHooks.add(hook)
  return () => signOutHooks.delete(hook)
}

/** Runs all hooks; one that fails or hangs keeps nobody from leaving. */
export async function runSignOutHooks(uid: string | null): Promise<void> {
  const results = [...signOutHooks].map(async (hook) => {
    try {
      await pTimeout(Promise.resolve(hook({ uid })), { milliseconds: HOOK_PATIENCE_MS, message: false })
    } catch (error) {
      console.error('Something of the user could not be cleared', error)
    }
  })
  await Promise.all(results)
}

const roleHooks = new Set<() => void | Promise<void>>()

/** Registers what must go when a checker is one no more. Returns the way to unregister. */
export function onCheckerLost(hook: () => void | Promise<void>): () => void {
  roleHooks.add(hook)
  return () => roleHooks.delete(hook)
}

/** Runs all hooks, also where one fails. */
export async function runCheckerLostHooks(): Promise<void> {
  const results = await Promise.allSettled([...roleHooks].map(async (hook) => hook()))
  for (const result of results) if (result.status === 'rejected') console.error('Not all was cleared', result.reason)
}

const lostHandlers = new Set<() => void>()

/** Registers what a shell does when the server ended the session (SPEC 7: the user goes to /). Returns the way back. */
export function onSessionLost(handler: () => void): () => void {
  lostHandlers.add(handler)
  return () => lostHandlers.delete(handler)
}

export function runSessionLostHandlers(): void {
  for (const handler of lostHandlers) handler()
}
