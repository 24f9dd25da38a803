import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../../scripts/setup.mjs'

let seeded: Promise<string> | null = null

/** A data folder with the big seed, made once for each worker that asks for it (some 15 s), to be copied. */
export function bigTemplate(): Promise<string> {
  seeded ??= seed()
  return seeded
}

async function seed(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'garba-big-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const script = join(ROOT, 'scripts', 'seed.ts')
  await promisify(execFile)(process.execPath, [script, '--big'], { env: { ...process.env, DATA_DIR: folder } })
  return folder
}
