import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { BackupRefused } from '../store/engine/backup.ts'

/** A PostgreSQL tool failed. The message is the line of its own output that says why. */
export class ToolFailed extends Error {
  override name = 'ToolFailed'
}

/** An evening's database takes seconds. A database that stops answering must not block the next backup. */
const DUMP_MS = 5 * 60_000

/** Dumps a database in pg_dump's own format. False if pg_dump is not installed. Throws ToolFailed. */
export const dump = (url: string, file: string, timeout = DUMP_MS): Promise<boolean> =>
  run('pg_dump', ['--format=custom', '--no-owner', `--file=${file}`, ...databaseOf(url)], { url, timeout })

/**
 * Fills an empty database from a dump, all or nothing. Rights are left out, because another server may lack the roles
 * that have them. Throws BackupRefused.
 */
export async function restoreDump(file: string, url: string): Promise<void> {
  const how = ['--exit-on-error', '--no-owner', '--no-privileges', '--single-transaction', ...databaseOf(url)]
  await required(run('pg_restore', [...how, file], { url }), 'restore', file)
}

/** Reads a dump from end to end without restoring it. Throws BackupRefused. */
export const readDump = (file: string): Promise<void> =>
  required(run('pg_restore', ['--file=/dev/null', file], { url: null }), 'read', file)

async function required(running: Promise<boolean>, task: 'read' | 'restore', file: string): Promise<void> {
  const done = await running.catch((cause: unknown) => {
    if (cause instanceof ToolFailed)
      throw new BackupRefused(`pg_restore cannot ${task} ${file}: ${cause.message}`, { cause })
    throw cause
  })
  if (!done)
    throw new BackupRefused(`${file} is a dump of PostgreSQL, and pg_restore is not here: install postgresql-client.`)
}

/** Other users of the machine can read a command's arguments, so the password is passed in the environment. */
function databaseOf(url: string): string[] {
  const address = new URL(url)
  address.password = ''
  return [`--dbname=${address.href}`]
}

interface Running {
  url: string | null
  /** Milliseconds after which the tool is killed; 0 for no limit. */
  timeout?: number
}

async function run(tool: string, args: readonly string[], { url, timeout = 0 }: Running): Promise<boolean> {
  const password = url === null ? '' : decodeURIComponent(new URL(url).password)
  const env = { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) }
  const child = spawn(tool, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  // Node's own time limit would keep this process alive if the tool is not installed.
  if (timeout > 0) setTimeout(() => child.kill('SIGKILL'), timeout).unref()
  const errors = text(child.stderr)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(null) : reject(error)))
    child.once('close', resolve)
  })
  if (code === 0) return true
  if (code === null && child.pid === undefined) return false
  const lines = (await errors).trim().split('\n')
  const reason = lines.findLast((line) => line.includes('error:')) ?? lines.at(-1) ?? ''
  throw new ToolFailed(reason === '' ? `it ended with ${code ?? 'a signal'}` : reason)
}
