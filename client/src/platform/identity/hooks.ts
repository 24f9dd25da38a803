import pTimeout from 'p-timeout'

type Hook<Context> = (context: Context) => void | Promise<void>

const HOOK_TIMEOUT_MS = 5_000

/** A list of hooks: `add` returns a function that unregisters. A hook that fails or hangs blocks nothing after it. */
function makeHooks<Context = void>() {
  const hooks = new Set<Hook<Context>>()
  return {
    add(hook: Hook<Context>): () => void {
      hooks.add(hook)
      return () => hooks.delete(hook)
    },
    async run(context: Context): Promise<void> {
      const runOne = async (hook: Hook<Context>) =>
        pTimeout(Promise.resolve(hook(context)), { milliseconds: HOOK_TIMEOUT_MS, message: false })
      for (const result of await Promise.allSettled(Array.from(hooks, runOne)))
        if (result.status === 'rejected') console.error('Some data was not cleared', result.reason)
    },
  }
}

/** What to remove when a user signs out on this device: caches, wallets. Unsent scans stay. Runs in every open tab. */
const signOut = makeHooks<{ uid: string | null }>()
export const onSignOut = signOut.add
export const runSignOutHooks = (uid: string | null): Promise<void> => signOut.run({ uid })

const checkerLost = makeHooks()
export const onCheckerLost = checkerLost.add
export const runCheckerLostHooks = checkerLost.run

const sessionLost = makeHooks()
export const onSessionLost = sessionLost.add
export const runSessionLostHandlers = sessionLost.run
