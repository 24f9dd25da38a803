import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from '../setup.mjs'
import { runProgram } from './children.ts'

const SERVER = join(ROOT, 'server')
const STORE = join(SERVER, 'src', 'store')
export const MIGRATIONS = join(STORE, 'migrations')

const tables = () =>
  readdirSync(STORE)
    .filter((name) => /^\w+\.ts$/.test(name) && readFileSync(join(STORE, name), 'utf8').includes('= sqliteTable('))
    .map((name) => name.slice(0, -'.ts'.length))

/**
 * Compares the tables with the newest snapshot in `out` and writes the difference as a new migration. Returns
 * drizzle-kit's output.
 */
export async function makeMigration({ name, out }: { name: string; out: string }): Promise<string> {
  // drizzle-kit resolves every path from its working directory.
  const paths = { schema: `./src/store/{${tables().join()}}.ts`, out: relative(SERVER, out) }
  const options = { dialect: 'sqlite', casing: 'snake_case', ...paths, name }
  const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`)
  const command = [join(ROOT, 'node_modules', 'drizzle-kit', 'bin.cjs'), 'generate', ...args]
  return (await withDrizzleInSight(() => runProgram(process.execPath, command, { cwd: SERVER }))).output
}

/** drizzle-kit, installed at the root, looks for drizzle-orm there, but npm installs that in the server's folder. */
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
