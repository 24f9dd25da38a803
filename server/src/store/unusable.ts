import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

const REASONS: Record<string, string> = {
  SQLITE_NOTADB: 'is not a database, or is damaged. Put it aside and restore a backup with: npm run restore -- FILE',
  SQLITE_CORRUPT: 'is damaged. Put it aside and restore a backup with: npm run restore -- FILE',
  SQLITE_BUSY: 'is locked by another program. End that program and start again.',
  SQLITE_LOCKED: 'is locked by another program. End that program and start again.',
  SQLITE_FULL: 'cannot be written: the disk is full. Make room and start again.',
  SQLITE_READONLY: 'cannot be written: it is read-only. Give this user the right to write it and its folder.',
  SQLITE_CANTOPEN: 'cannot be opened. Check that DATA_DIR names a folder this user may write.',
  SQLITE_IOERR: 'cannot be read or written: the disk answers with an error.',
  ENOSPC: 'cannot be made: the disk is full. Make room and start again.',
  EACCES: 'cannot be reached: no permission. Check that DATA_DIR names a folder this user may write.',
  EPERM: 'cannot be reached: no permission. Check that DATA_DIR names a folder this user may write.',
  EROFS: 'cannot be made: the file system is read-only. Set DATA_DIR to a folder that can be written.',
  ENOTDIR: 'cannot be made: a part of its path is a file. Check DATA_DIR.',
  EEXIST: 'cannot be made: a part of its path is a file. Check DATA_DIR.',
}

const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? codeOf(error.cause) : ''
}

/** The reason for an SQLite or file-system code; extended codes (SQLITE_IOERR_WRITE) count as their family. */
const reasonFor = (code: string): string | undefined => REASONS[code] ?? REASONS[code.split('_').slice(0, 2).join('_')]

/** SQLite's own files need some room: below this a disk error is want of room, whatever SQLite calls it. */
const ROOM_BYTES = 256 * 1024

/** On a full disk SQLite may say that it cannot read or write: its shared memory finds no room. */
function codeOn(file: string, code: string): string {
  const folder = dirname(file)
  if (!code.startsWith('SQLITE_IOERR') || !existsSync(folder)) return code
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < ROOM_BYTES ? 'SQLITE_FULL' : code
}

/** The database cannot be used; the message is one sentence for whoever starts the server. */
export class StoreUnusable extends Error {
  override name = 'StoreUnusable'

  static from(error: unknown, file: string): StoreUnusable {
    const why = error instanceof Error ? error.message : String(error)
    const reason = reasonFor(codeOn(file, codeOf(error))) ?? `cannot be used: ${why}.`
    return new StoreUnusable(`The database ${file} ${reason}`, { cause: error })
  }
}

/** Whether a failed statement means "not now" (locked, full, disk error) rather than a mistake of ours. */
export const isPassing = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY)/.test(codeOf(error))
