import { resolve } from 'node:path'
import { bech32 } from '@scure/base'
import * as z from 'zod'
import { makeOptional, wholeNumber, wholeNumberIfSet } from './variables.ts'

export interface BackupSettings {
  dir: string
  /** Minutes; null means every 5 around the event and every 60 otherwise. */
  every: number | null
  keep: number
  /** A shell command that gets the path of each new backup as its last argument; null for none. */
  hook: string | null
}

/** About a week of backups: hourly, and every five minutes around the event. */
export const DEFAULT_KEEP = 200

/** Whether no letter of an age key is wrong, by its checksum. The age library's own error would quote the key. */
const hasTrueChecksum = (key: string): boolean => bech32.decodeUnsafe(key) !== undefined

export const BACKUP_VARIABLES = {
  BACKUP_DIR: makeOptional(z.string().trim().optional()),
  BACKUP_EVERY: wholeNumberIfSet({ min: 1, max: 1_440 }),
  BACKUP_KEEP: wholeNumber({ fallback: DEFAULT_KEEP, min: 2, max: 100_000 }),
  BACKUP_HOOK: makeOptional(z.string().trim().optional()),
  BACKUP_KEY: makeOptional(
    z
      .string()
      .trim()
      .regex(
        /^(age1[02-9ac-hj-np-z]{58}|AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58})$/,
        'must be an age key: age1... to encrypt, or AGE-SECRET-KEY-1... to decrypt as well',
      )
      .refine(hasTrueChecksum, 'has a wrong letter: its checksum does not fit, so copy the key again')
      .optional(),
  ),
}
type BackupVariables = z.output<z.ZodObject<typeof BACKUP_VARIABLES>>

export function backupProblem(env: BackupVariables): string | null {
  if (env.BACKUP_DIR) return null
  const lost = (['BACKUP_EVERY', 'BACKUP_HOOK'] as const).find((name) => env[name] !== undefined)
  return lost ? `BACKUP_DIR is missing, though ${lost} is set: without it the server makes no backups.` : null
}

export const buildBackupSettings = (env: BackupVariables): BackupSettings | null =>
  env.BACKUP_DIR
    ? {
        dir: resolve(env.BACKUP_DIR),
        every: env.BACKUP_EVERY ?? null,
        keep: env.BACKUP_KEEP,
        hook: env.BACKUP_HOOK ?? null,
      }
    : null
