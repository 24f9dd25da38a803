import type { Settings } from '../../server/src/config.ts'
import type { Caller, Deps } from '../../server/src/flows/deps.ts'
import { signInWithToken } from '../../server/src/flows/people/signIn.ts'
import { ensureEpoch } from '../../server/src/flows/recovery/epoch.ts'
import { ensureSigningKey } from '../../server/src/flows/signingKeys.ts'
import { newId } from '../../server/src/store/engine/sql.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import { findUserByUid, insertUser } from '../../server/src/store/users.ts'
import type { Person } from './people.ts'

/** The server's flows on a simulated clock, so the data is what the server itself would have written. */
export interface Stage {
  deps: Deps
  timeline: Timeline
  signUp: (person: Person) => Promise<unknown>
  /** The current account. Throws if there is none. */
  userOf: (uid: string) => Promise<Caller>
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

interface StageOptions {
  store: Store
  settings: Settings
  opens: Date
}

export async function makeStage({ store, settings, opens }: StageOptions): Promise<Stage> {
  let clock = opens
  const now = () => clock
  const deps: Deps = {
    store,
    settings,
    publicUrl: () => 'http://localhost',
    now,
    // Only this script makes tokens, so a token is simply its claims as JSON.
    verify: async (token) => JSON.parse(token),
    signer: await ensureSigningKey({ store, now }),
    epoch: await ensureEpoch({ store, log: SILENT }),
    providers: {},
    mailer: null,
    log: SILENT,
    stopping: new AbortController().signal,
  }
  return {
    deps,
    timeline: makeTimeline((at) => {
      clock = new Date(at)
    }),
    signUp: async (person) =>
      person.never ? enter(deps, person) : signInWithToken(deps, { idToken: buildIdToken(person) }),
    userOf: async (uid) => {
      const user = await store.read((tx) => findUserByUid(tx, uid))
      if (!user) throw new Error(`${uid} has not signed up yet`)
      return user
    },
  }
}

const buildIdToken = ({ uid, email, name }: Person): string =>
  JSON.stringify({ uid, email, emailVerified: true, provider: 'google.com', name, photoUrl: null })

async function enter({ store, now }: Deps, { uid, email, name }: Person): Promise<void> {
  const account = { firebaseUid: uid, email, emailVerified: true, name, photoUrl: null, role: 'guest' as const }
  await store.write((tx) => insertUser(tx, { ...account, id: newId(now()), createdAt: now(), lastLogin: null }))
}

interface Timeline {
  /** Schedules an act (milliseconds since 1970). It may use the results of earlier acts. */
  add: (at: number, act: () => unknown) => void
  run: () => Promise<void>
}

/** Runs acts by time, and acts of the same time as they were added. Calls `setClock` before each. */
function makeTimeline(setClock: (at: number) => void): Timeline {
  const acts: { at: number; act: () => unknown }[] = []
  return {
    add: (at, act) => acts.push({ at, act }),
    run: async () => {
      acts.sort((a, b) => a.at - b.at)
      for (const { at, act } of acts) {
        setClock(at)
        await act()
      }
    },
  }
}
