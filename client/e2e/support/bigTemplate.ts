import { execFile } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withLock } from '../../../scripts/lib/lock.ts'
import { nodeBinary, ROOT } from '../../../scripts/setup.mjs'
import { BIG_TEMPLATE } from './globalSetup.ts'

/**
 * A data folder with the big seed, to be copied. Made once in a run, by the first test that asks (some 15 s), whichever
 * worker that is: a worker is replaced after each failed test.
 */
export async function bigTemplate(): Promise<string> {
  const folder = process.env[BIG_TEMPLATE]
  if (folder === undefined) throw new Error('The global set-up has not run')
  await withLock({
    path: `${folder}.lock`,
    onWait: () => undefined,
    work: async () => {
      if (!existsSync(folder)) await seed(folder)
    },
  })
  return folder
}

/** A seed that was cut off leaves no folder of this name. */
async function seed(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`
  const script = join(ROOT, 'scripts', 'commands', 'develop', 'seed.ts')
  await promisify(execFile)(nodeBinary(), [script, '--big'], { env: { ...process.env, DATA_DIR: unfinished } })
  renameSync(unfinished, folder)
}
