import { resolve } from 'node:path'
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

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/**
 * Whether no letter of an age key is wrong, by its checksum (BIP 173). The age library's own error would quote the key.
 */
function hasTrueChecksum(key: string): boolean {
  const text = key.toLowerCase()
  const mark = text.lastIndexOf('1')
  const prefix = Array.from(text.slice(0, mark), (letter) => letter.charCodeAt(0))
  const letters = Array.from(text.slice(mark + 1), (letter) => BECH32.indexOf(letter))
  let sum = 1
  for (const value of [...prefix.map((code) => code >> 5), 0, ...prefix.map((code) => code & 31), ...letters]) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [bit, generator] of GENERATORS.entries()) if ((top >> bit) & 1) sum ^= generator
  }
  return sum === 1
}

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
