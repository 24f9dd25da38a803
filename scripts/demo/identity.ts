import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DEMO_ACCOUNTS } from '@garba/shared/constants'
import { createAdaptorServer } from '@hono/node-server'
import type { Settings } from '../../server/src/config.ts'
import { makeIdentityDouble } from '../../server/src/double/identity.ts'
import { getDataDir } from '../lib/database.ts'
import { seedDemo } from './seed.ts'

export interface IdentityProcess {
  readonly host: string
  close(): Promise<void>
}

export interface Account {
  readonly uid: string
  readonly email: string
  readonly name: string
}

export async function startIdentity(options: {
  projectId: string
  accounts: readonly Account[]
}): Promise<IdentityProcess> {
  const accounts = addDemoAccounts(options.accounts).map((account) => ({ ...account, sub: findSub(account) }))
  const answer = makeIdentityDouble({ projectId: options.projectId, accounts })
  const server = createAdaptorServer({ fetch: answer }) as Server
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export const needsIdentity = ({ demo, emulatorHost }: Settings): boolean => demo && emulatorHost === null

/**
 * Seeds the demo and starts its identity process with everyone in the database, so that nobody loses their tickets in a
 * restart.
 */
export async function startDemo(settings: Settings): Promise<IdentityProcess> {
  const accounts = await seedDemo({ ...settings, dataDir: getDataDir(settings), now: new Date() })
  return startIdentity({ projectId: settings.firebase.projectId, accounts })
}

/** Google's id for the person. The chooser sends the uid of a demo account, or the email of any other. */
const findSub = ({ uid, email }: Account): string =>
  Object.values(DEMO_ACCOUNTS).some((account) => account.uid === uid) ? uid : email

function addDemoAccounts(known: readonly Account[]): Account[] {
  const demo: Account[] = Object.values(DEMO_ACCOUNTS)
  const taken = new Set(demo.flatMap(({ uid, email }) => [uid, email]))
  return [...demo, ...known.filter(({ uid, email }) => !taken.has(uid) && !taken.has(email))]
}
