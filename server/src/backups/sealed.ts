import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { getErrorCode } from '../errorCode.ts'
import { BackupRefused } from '../store/engine/backup.ts'
import { whyUnusable } from '../store/engine/unusable.ts'

const IDENTITY = /^AGE-SECRET-KEY-/

/** Loaded when it is needed: most commands and servers encrypt nothing, and its curves take a quarter of their start. */
const age = () => import('age-encryption')

export async function makeBackupKey(): Promise<{ secret: string; publicKey: string }> {
  const { generateX25519Identity, identityToRecipient } = await age()
  const secret = await generateX25519Identity()
  return { secret, publicKey: await identityToRecipient(secret) }
}

/** Encrypts a file in the age format, which `age --decrypt` opens too, and waits until it is on disk. */
export async function sealBackup({ from, to, key }: { from: string; to: string; key: string }): Promise<void> {
  const { Encrypter, identityToRecipient } = await age()
  const encrypter = new Encrypter()
  encrypter.addRecipient(IDENTITY.test(key) ? await identityToRecipient(key) : key)
  await write(await encrypter.encrypt(streamFile(from)), to)
}

/** Whether a key opens backups; a public key only makes them. */
export const canOpenBackups = (key: string | null): key is string => key !== null && IDENTITY.test(key)

/** Decrypts a backup. Throws BackupRefused without an identity that opens it. */
export async function unsealBackup({ from, to, key }: { from: string; to: string; key: string | null }): Promise<void> {
  if (!canOpenBackups(key))
    throw new BackupRefused(
      `${from} is encrypted: set BACKUP_KEY to the secret key (AGE-SECRET-KEY-1...) that opens it.`,
    )
  const { Decrypter } = await age()
  const decrypter = new Decrypter()
  try {
    decrypter.addIdentity(key)
    await write(await decrypter.decrypt(streamFile(from)), to)
  } catch (cause) {
    if (cause instanceof BackupRefused) throw cause
    throw new BackupRefused(`${from} cannot be decrypted: BACKUP_KEY is not its key, or the file is damaged.`, {
      cause,
    })
  }
}

const streamFile = (file: string) => Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>

async function write(bytes: ReadableStream<Uint8Array>, to: string): Promise<void> {
  try {
    await pipeline(
      Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]),
      createWriteStream(to, { mode: 0o600 }),
    )
    const handle = await open(to)
    await handle.sync().finally(() => handle.close())
  } catch (cause) {
    // Only the disk's errors have a code.
    if (getErrorCode(cause) === '') throw cause
    throw new BackupRefused(`${to} cannot be written: ${whyUnusable(cause)}.`, { cause })
  }
}
