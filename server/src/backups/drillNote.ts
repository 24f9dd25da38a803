import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { BackupRefused } from '../store/engine/backup.ts'
import type { SigningKeyRow } from '../store/signingKeys.ts'

/**
 * A drill away from the server ends with a note that the server counts. It is signed with the signing key in the
 * backup, which proves that a backup of this database was opened. The note is KEY.TIME.SIGNATURE.
 */
type DrillKey = Pick<SigningKeyRow, 'kid' | 'privateJwk' | 'publicJwk'>

const DSA = { dsaEncoding: 'ieee-p1363' } as const
const textOf = (kid: string, at: string) => Buffer.from(`garba drill ${kid}.${at}`)
const keyOf = (read: typeof createPrivateKey | typeof createPublicKey, key: JsonWebKey): KeyObject =>
  read({ key: key as import('node:crypto').JsonWebKey, format: 'jwk' })

/** A note about a drill; null if the backup is from before the first key. */
export function signDrill(keys: readonly DrillKey[], now: Date): string | null {
  const newest = keys.at(-1)
  if (!newest) return null
  const at = String(now.getTime())
  const key = keyOf(createPrivateKey, newest.privateJwk)
  const signature = sign('sha256', textOf(newest.kid, at), { key, ...DSA })
  return `${newest.kid}.${at}.${signature.toString('base64url')}`
}

/** The time of the drill in a note. Throws BackupRefused unless a key of this database has signed it. */
export function readDrillNote(note: string, keys: readonly DrillKey[], now: Date): Date {
  const [kid = '', at = '', signature = ''] = note.trim().split('.')
  const own = keys.find((key) => key.kid === kid)
  if (!own)
    throw new BackupRefused('This note is from a drill of another database’s backup, so it does not count here.')
  const key = { key: keyOf(createPublicKey, own.publicJwk), ...DSA }
  if (!verify('sha256', textOf(kid, at), key, Buffer.from(signature, 'base64url')))
    throw new BackupRefused('This note was changed or cut off: copy it again, whole.')
  return new Date(Math.min(Number(at), now.getTime()))
}
