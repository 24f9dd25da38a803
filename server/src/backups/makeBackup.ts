import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { BackupSettings } from '../backupSettings.ts'
import { inWorker } from '../inWorker.ts'
import { BackupRefused } from '../store/backup.ts'
import type { Copying } from './copies.ts'

export type BackupTask = Pick<BackupSettings, 'dir' | 'keep'> & Omit<Copying, 'file'>
export interface BackupDone {
  file: string
}

/**
 * Makes a backup in the folder of the settings, checked by opening it, encrypted if there is a key; deletes the oldest ones;
 * then runs the hook. Returns the new file. Throws BackupRefused with one sentence.
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
/** A hook copies files: it needs none of our secrets. */
const SECRETS = /^(RAZORPAY_|SMTP_URL$|BACKUP_KEY$|METRICS_TOKEN$|DATABASE_URL$)/

/** Runs the operator's command with the file's path as its last argument; its output goes where the server's goes. */
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
