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

/** Runs all hooks; one that fails or hangs does not block signing out. */
export async function runSignOutHooks(uid: string | null): Promise<void> {
  const results = [...signOutHooks].map(async (hook) => {
    try {
      await pTimeout(Promise.resolve(hook({ uid })), { milliseconds: HOOK_TIMEOUT_MS, message: false })
    } catch (error) {
      console.error("Some of the user's data could not be cleared", error)
    }
  })
  await Promise.all(results)
}

const roleHooks = new Set<() => void | Promise<void>>()

/** Registers what to remove when a user stops being a checker. Returns a function that unregisters it. */
export function onCheckerLost(hook: () => void | Promise<void>): () => void {
  roleHooks.add(hook)
  return () => roleHooks.delete(hook)
}

/** Runs all hooks; one that fails or hangs does not keep the user in the old role. */
export async function runCheckerLostHooks(): Promise<void> {
  const results = await Promise.allSettled(
    [...roleHooks].map(async (hook) =>
      pTimeout(Promise.resolve(hook()), { milliseconds: HOOK_TIMEOUT_MS, message: false }),
    ),
  )
  for (const result of results)
    if (result.status === 'rejected') console.error('Some data was not cleared', result.reason)
}

const lostHandlers = new Set<() => void>()

/** Registers what a shell does when the server ends the session (SPEC 7: the user goes to /). Returns a function that unregisters it. */
export function onSessionLost(handler: () => void): () => void {
  lostHandlers.add(handler)
  return () => lostHandlers.delete(handler)
}

export function runSessionLostHandlers(): void {
  for (const handler of lostHandlers) handler()
}
