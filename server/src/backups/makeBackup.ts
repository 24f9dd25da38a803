import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { inWorker } from '../inWorker.ts'
import type { BackupSettings } from '../settings/backupSettings.ts'
import { BackupRefused } from '../store/engine/backup.ts'
import type { Copying } from './copies.ts'

export type BackupTask = Pick<BackupSettings, 'dir' | 'keep'> & Omit<Copying, 'file'>
export interface BackupDone {
  file: string
}

/**
 * Makes a backup in the configured folder, checked by opening it, and encrypted if there is a key; deletes the oldest
 * ones; then runs the hook. Returns the new file. Throws BackupRefused with one sentence.
 */
export async function makeBackup({ hook, ...task }: BackupTask & Pick<BackupSettings, 'hook'>): Promise<string> {
  const { file } = await copied(task)
  if (hook !== null) await runHook(hook, file)
  return file
}

async function copied(task: BackupTask): Promise<BackupDone> {
  try {
    return await inWorker<BackupDone>(new URL('./backupWorker.ts', import.meta.url), task)
  } catch (cause) {
    throw new BackupRefused(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

const HOOK_TIMEOUT_MS = 10 * 60_000
/** The hook only copies files, so it gets none of these secrets. */
const SECRETS = /^(RAZORPAY_|SMTP_URL$|BACKUP_KEY$|METRICS_TOKEN$|DATABASE_URL$)/

/** Runs the operator's command with the file's path as its last argument; its output goes to the server's. */
async function runHook(hook: string, file: string): Promise<void> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SECRETS.test(name)))
  const child = spawn('/bin/sh', ['-c', `${hook} "$1"`, 'sh', file], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: HOOK_TIMEOUT_MS,
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (code !== 0) throw new BackupRefused(`BACKUP_HOOK ended with ${code ?? signal} for ${file}.`)
}
