import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { unseal } from '../../server/src/backups/sealed.ts'
import { type Contents, requireReadable } from '../../server/src/store/engine/backup.ts'
import { makeFolder } from '../../server/src/store/engine/folder.ts'

/**
 * Passes a backup to `work` as a plain database file: an encrypted one is decrypted into `folder` and deleted
 * afterwards. Throws BackupRefused if it may not be read or the key does not open it.
 */
export async function withPlainBackup<T>(
  { file, key, folder }: { file: string; key: string | null; folder: string },
  work: (plain: string) => T | Promise<T>,
): Promise<T> {
  requireReadable(file)
  if (!file.endsWith('.age')) return work(file)
  makeFolder(folder)
  const own = mkdtempSync(join(folder, 'garba-unsealed-'))
  try {
    const plain = join(own, 'garba.db')
    await unseal({ from: file, to: plain, key })
    return await work(plain)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

export const contentsOf = ({ bytes, users, tickets }: Contents): string =>
  `${(bytes / 1e6).toFixed(2)} MB, ${counted(users, 'user')}, ${counted(tickets, 'ticket')}`
