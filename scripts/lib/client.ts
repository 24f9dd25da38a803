import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION_FILE } from '../../server/src/version.ts'
import { nodeBinary, ROOT, SetUpError } from '../setup.mjs'
import { runProgram } from './children.ts'
import { listRepoFiles, sourceVersion } from './files.ts'
import { withLock } from './lock.ts'
import { runTimedStep } from './say.ts'

export const CLIENT_DIST = join(ROOT, 'client', 'dist')
// Vite empties the folder before it builds, so a stamp in it always belongs to the current build.
const STAMP = join(CLIENT_DIST, '.built-from')
const SOURCES = ['client', 'shared', 'manifest']
const NOT_BUILT = /^client\/(e2e|engines|bench)\/|\.test\.tsx?$|(vitest|playwright|screenshots|engines)\.config\.ts$/

function fingerprint(): string {
  const digest = createHash('sha256').update(`${sourceVersion()}\0`)
  const sources = SOURCES.flatMap((folder) => listRepoFiles(join(ROOT, folder))).filter((path) => !NOT_BUILT.test(path))
  for (const path of [...sources, 'package-lock.json']) {
    digest
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0')
  }
  return digest.digest('hex')
}

const isClientFresh = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint()

export async function ensureClient({ force = false } = {}): Promise<void> {
  if (!force && isClientFresh()) return
  await withLock({
    path: join(ROOT, '.cache', 'build.lock.db'),
    onWait: () => console.log('Another build is running; waiting for it.'),
    work: async () => {
      if (!force && isClientFresh()) return
      await runTimedStep('Building the client', build)
    },
  })
}

async function build(): Promise<void> {
  const from = fingerprint()
  const version = sourceVersion()
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  // With a test runner's NODE_ENV the build would have no service worker and use React's development code.
  const env = { ...process.env, NODE_ENV: 'production', GARBA_VERSION: version }
  // The pages are built first, because their build empties the folder.
  await run([vite, 'build', '--logLevel', 'warn'], env)
  await run([vite, 'build', '--logLevel', 'warn', '--config', 'vite.render.config.ts'], env)
  writeFileSync(join(CLIENT_DIST, VERSION_FILE), version)
  writeFileSync(STAMP, from)
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { code, output } = await runProgram(nodeBinary(), args, { cwd: join(ROOT, 'client'), env })
  if (code !== 0) throw new SetUpError(`The client could not be built:\n\n${output.trim()}`)
}
