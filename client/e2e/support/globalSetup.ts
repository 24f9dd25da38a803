import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEMO_PROJECT_ID } from '@garba/shared/constants'
import { startIdentity } from '../../../scripts/demo/identity.ts'
import { seedDemo } from '../../../scripts/demo/seed.ts'
import { ensureClient } from '../../../scripts/lib/client.ts'

/** Where the workers find what a run has once: the emulator's host:port and the seeded data folders to copy. */
export const EMULATOR_HOST = 'GARBA_E2E_EMULATOR_HOST'
export const TEMPLATE = 'GARBA_E2E_TEMPLATE'
/** Not there until a test asks for it. */
export const BIG_TEMPLATE = 'GARBA_E2E_BIG_TEMPLATE'
/** The folder of the sessions, which are made when a test asks for them. */
export const SESSIONS = 'GARBA_E2E_SESSIONS'

/** Builds the client if its sources changed, starts one identity process and seeds one data folder, for the whole run. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  await ensureClient()
  const folder = mkdtempSync(join(tmpdir(), 'garba-e2e-'))
  const template = join(folder, 'demo')
  await seedDemo({ dataDir: template, now: new Date() })
  const identity = await startIdentity({ projectId: DEMO_PROJECT_ID, accounts: [] })
  process.env[EMULATOR_HOST] = identity.host
  process.env[TEMPLATE] = template
  process.env[BIG_TEMPLATE] = join(folder, 'big')
  process.env[SESSIONS] = join(folder, 'sessions')
  return async () => {
    await identity.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
