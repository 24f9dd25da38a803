import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from '../setup.mjs'

const SERVER = join(ROOT, 'server')
const STORE = join(SERVER, 'src', 'store')
export const MIGRATIONS = join(STORE, 'migrations')

/** The names of the store's files that define a table, without `.ts`. */
const tables = () =>
  readdirSync(STORE)
    .filter((name) => /^\w+\.ts$/.test(name) && readFileSync(join(STORE, name), 'utf8').includes('= sqliteTable('))
    .map((name) => name.slice(0, -'.ts'.length))

/**
 * Compares the tables with the newest snapshot in `out` and writes what is missing there as a new migration. Returns what
 * drizzle-kit printed.
 */
export async function makeMigration({ name, out }: { name: string; out: string }): Promise<string> {
  // drizzle-kit takes every path as below the folder it runs in.
  const paths = { schema: `./src/store/{${tables().join()}}.ts`, out: relative(SERVER, out) }
  const options = { dialect: 'sqlite', casing: 'snake_case', ...paths, name }
  const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`)
  return withDrizzleInSight(() => run([join(ROOT, 'node_modules', 'drizzle-kit', 'bin.cjs'), 'generate', ...args]))
}

/** drizzle-kit is installed at the top and looks for drizzle-orm there, but npm puts that into the server's own folder. */
async function withDrizzleInSight<T>(work: () => Promise<T>): Promise<T> {
  const seen = join(ROOT, 'node_modules', 'drizzle-orm')
  if (existsSync(seen)) return work()
  symlinkSync(join(SERVER, 'node_modules', 'drizzle-orm'), seen, 'junction')
  try {
    return await work()
  } finally {
    rmSync(seen)
  }
}

function run(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: SERVER, stdio: ['inherit', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      said += data
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(said))
  })
}
