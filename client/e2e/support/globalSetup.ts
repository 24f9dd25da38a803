import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEMO_PROJECT_ID } from '@garba/shared/constants'
import { accountsToSeed } from '../../../scripts/demo/accounts.ts'
import { startEmulator } from '../../../scripts/demo/emulator.ts'
import { seedDemo } from '../../../scripts/demo/seed.ts'
import { ensureClient } from '../../../scripts/lib/client.ts'

/** Where the workers find what a run has once: the emulator's host:port and the seeded data folder to copy. */
export const EMULATOR_HOST = 'GARBA_E2E_EMULATOR_HOST'
export const TEMPLATE = 'GARBA_E2E_TEMPLATE'

/** Builds the client if its sources changed, starts one Auth emulator and seeds one data folder, for the whole run. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  await ensureClient()
  const template = mkdtempSync(join(tmpdir(), 'garba-e2e-'))
  seedDemo({ dataDir: template, now: new Date() })
  const emulator = await startEmulator({ projectId: DEMO_PROJECT_ID, accounts: accountsToSeed([]) })
  await emulator.ready
  process.env[EMULATOR_HOST] = emulator.host
  process.env[TEMPLATE] = template
  return async () => {
    await emulator.close()
    rmSync(template, { recursive: true, force: true })
  }
}
