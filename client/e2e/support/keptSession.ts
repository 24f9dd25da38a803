import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_ACCOUNTS, type DemoRole } from '@garba/shared/constants'
import type { User } from '@garba/shared/contracts/people/user'
import { withLock } from '../../../scripts/lib/lock.ts'
import { type Api, signInToApi } from './api.ts'
import { SESSIONS } from './globalSetup.ts'
import { pollUntil } from './poll.ts'
import { emulatorHost, TestServer } from './server.ts'
import type { Kept } from './sessionInPage.ts'

interface SessionOptions {
  role: DemoRole
  /** The origin of the server. */
  url: string
  /** Signs the guest in at the account chooser of a fresh browser, on this server, and reads what is stored there. */
  signInByHand: (url: string) => Promise<Kept>
}

/** What a browser stores of this account once it has signed in. The server learns of the account. */
export async function keptSession({ role, url, signInByHand }: SessionOptions): Promise<{ kept: Kept; user: User }> {
  const kept = await keptOfGuest(signInByHand)
  const api = await signInToApi({ url, emulatorHost: emulatorHost(), account: DEMO_ACCOUNTS[role] })
  return { kept: keptAs(role, kept, api), user: api.user }
}

/**
 * Reads what a sign-in leaves once all of it is there: the identity provider's and ours are written one after the other,
 * and the menu waits for neither.
 */
export const readWhenKept = (read: () => Promise<Kept>): Promise<Kept> =>
  pollUntil(
    async () => {
      const kept = await read()
      return kept.databases.length === 2 && kept.databases.every(({ rows }) => rows.length > 0) && kept
    },
    'the session to be kept',
    { everyMs: 50 },
  )

/** Made once in a run, by the first test that asks, on a server of its own: that of the test learns nothing of the guest. */
async function keptOfGuest(signInByHand: SessionOptions['signInByHand']): Promise<Kept> {
  const folder = process.env[SESSIONS]
  if (folder === undefined) throw new Error('The global set-up has not run')
  const file = join(folder, 'guest.json')
  if (!existsSync(file))
    await withLock({
      path: `${file}.lock`,
      onWait: () => undefined,
      work: async () => {
        if (existsSync(file)) return
        const server = await TestServer.create()
        const kept = await signInByHand(server.url).finally(() => server.dispose())
        // Another worker may look for it at any moment, and must find all of it.
        writeFileSync(`${file}.unfinished`, JSON.stringify(kept))
        renameSync(`${file}.unfinished`, file)
      },
    })
  return JSON.parse(readFileSync(file, 'utf8')) as Kept
}

/** The same as another account's sign-in would leave it: only who it is and the tokens differ. */
function keptAs(role: DemoRole, kept: Kept, { token, refreshToken }: Api): Kept {
  const [from, to] = [DEMO_ACCOUNTS.guest, DEMO_ACCOUNTS[role]]
  let text = JSON.stringify(kept)
  const oldToken = /"accessToken":"([^"]+)"/.exec(text)?.[1] ?? ''
  const oldRefreshToken = /"refreshToken":"([^"]+)"/.exec(text)?.[1] ?? ''
  if (oldToken === '' || oldRefreshToken === '') throw new Error('The sign-in by hand kept no tokens')
  const changes = [
    [oldToken, token],
    [oldRefreshToken, refreshToken],
    [from.uid, to.uid],
    [from.email, to.email],
    [from.name, to.name],
  ] as const
  for (const [old, now] of changes) text = text.replaceAll(old, now)
  return JSON.parse(text) as Kept
}
