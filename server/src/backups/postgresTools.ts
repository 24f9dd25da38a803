import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { getCACertificates } from 'node:tls'
import { MINUTE_MS } from '@garba/shared/constants'
import { BackupRefused } from '../store/engine/backup.ts'

/** A PostgreSQL tool failed. The message is the line of its own output that says why. */
export class ToolFailed extends Error {
  override name = 'ToolFailed'
}

/** An evening's database takes seconds. A database that stops answering must not block the next backup. */
const DUMP_MS = 5 * MINUTE_MS

/** Dumps a database in pg_dump's own format. False if pg_dump is not installed. Throws ToolFailed. */
export const dumpDatabase = (url: string, file: string, timeout = DUMP_MS): Promise<boolean> =>
  run('pg_dump', ['--format=custom', '--no-owner', `--file=${file}`, ...buildDatabaseArgs(url)], { url, timeout })

/**
 * Fills an empty database from a dump, all or nothing. Rights are left out, because another server may lack the roles
 * that have them. Throws BackupRefused.
 */
export async function restoreDump(file: string, url: string): Promise<void> {
  const how = ['--exit-on-error', '--no-owner', '--no-privileges', '--single-transaction', ...buildDatabaseArgs(url)]
  await required(run('pg_restore', [...how, file], { url }), 'restore', file)
}

/** Reads a dump from end to end without restoring it. Throws BackupRefused. */
export const readDump = (file: string): Promise<void> =>
  required(run('pg_restore', ['--file=/dev/null', file], { url: null }), 'read', file)

/** The rows of a small table in a dump, each by its columns. Throws BackupRefused. */
export async function rowsInDump(file: string, { table, folder }: { table: string; folder: string }) {
  const out = join(folder, `${table}.sql`)
  await required(
    run('pg_restore', ['--data-only', `--table=${table}`, `--file=${out}`, file], { url: null }),
    'read',
    file,
  )
  const lines = readFileSync(out, 'utf8').split('\n')
  const head = lines.findIndex((line) => line.startsWith('COPY '))
  const columns = /\((.*)\)/.exec(lines[head] ?? '')?.[1]?.split(', ') ?? []
  return lines.slice(head + 1, lines.indexOf('\\.')).map((line) => {
    const cells = line.split('\t')
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']))
  })
}

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
function buildDatabaseArgs(url: string): string[] {
  const address = new URL(url)
  address.password = ''
  // The driver's word for a connection that is encrypted and not checked.
  if (address.searchParams.get('sslmode') === 'no-verify') address.searchParams.set('sslmode', 'require')
  return [`--dbname=${address.href}`]
}

/** The tools know no authorities by themselves. They get those that the server accepts. */
function withAuthorities<T>(url: string, work: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const { searchParams } = new URL(url)
  const isChecked = searchParams.get('sslmode')?.startsWith('verify-') === true
  if (!isChecked || searchParams.has('sslrootcert') || process.env.PGSSLROOTCERT) return work({})
  const folder = mkdtempSync(join(tmpdir(), 'garba-authorities-'))
  const PGSSLROOTCERT = join(folder, 'authorities.pem')
  writeFileSync(PGSSLROOTCERT, getCACertificates().join('\n'))
  return work({ PGSSLROOTCERT }).finally(() => rmSync(folder, { recursive: true }))
}

interface ToolOptions {
  url: string | null
  /** Milliseconds after which the tool is killed; 0 for no limit. */
  timeout?: number
}

const run = (tool: string, args: readonly string[], { url, timeout = 0 }: ToolOptions): Promise<boolean> =>
  url === null
    ? runWith(tool, args, { env: {}, timeout })
    : withAuthorities(url, (authorities) => {
        const password = decodeURIComponent(new URL(url).password)
        return runWith(tool, args, { env: { ...authorities, ...(password && { PGPASSWORD: password }) }, timeout })
      })

interface RunningTool {
  env: Record<string, string>
  timeout: number
}

async function runWith(tool: string, args: readonly string[], { env: extra, timeout }: RunningTool): Promise<boolean> {
  const env = { ...process.env, ...extra }
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
