import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'
import { BackupRefused } from '../store/backup.ts'

const IDENTITY = /^AGE-SECRET-KEY-/

/** Encrypts a file in the age format, so that `age --decrypt` opens it too, and waits until it is on the disk. */
export async function seal({ from, to, key }: { from: string; to: string; key: string }): Promise<void> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(IDENTITY.test(key) ? await identityToRecipient(key) : key)
  await write(await encrypter.encrypt(bytesOf(from)), to)
}

/** Decrypts a backup. Throws BackupRefused without an identity that opens it. */
export async function unseal({ from, to, key }: { from: string; to: string; key: string | null }): Promise<void> {
  if (key === null || !IDENTITY.test(key))
    throw new BackupRefused(
      `${from} is encrypted: set BACKUP_KEY to the secret key (AGE-SECRET-KEY-1...) that opens it.`,
    )
  const decrypter = new Decrypter()
  decrypter.addIdentity(key)
  try {
    await write(await decrypter.decrypt(bytesOf(from)), to)
  } catch (cause) {
    throw new BackupRefused(`${from} cannot be decrypted: BACKUP_KEY is not its key, or the file is damaged.`, {
      cause,
    })
  }
}

const bytesOf = (file: string) => Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>

async function write(bytes: ReadableStream<Uint8Array>, to: string): Promise<void> {
  await pipeline(
    Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]),
    createWriteStream(to, { mode: 0o600 }),
  )
  const handle = await open(to)
  await handle.sync().finally(() => handle.close())
}
