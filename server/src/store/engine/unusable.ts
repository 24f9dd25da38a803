import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { getErrorCode } from '../../errorCode.ts'
import { StoreUnavailable } from './store.ts'

interface Reason {
  why: string
  cure: string
}

const restore = 'Put it aside and restore a backup with: npm run restore -- FILE'
const locked = { why: 'it is locked by another program', cure: 'End that program and start again.' }
const full = { why: 'the disk is full', cure: 'Make room and start again.' }
const rights = 'Check that DATA_DIR names a folder this user may write, and that this user owns the files in it.'
const forbidden = { why: 'this user has no permission', cure: rights }
const misplaced = { why: 'a part of its path is a file', cure: 'Check DATA_DIR.' }

const REASONS: Record<string, Reason> = {
  SQLITE_NOTADB: { why: 'it is not an SQLite file, or it is damaged', cure: restore },
  SQLITE_CORRUPT: { why: 'it is damaged', cure: restore },
  SQLITE_BUSY: locked,
  SQLITE_LOCKED: locked,
  SQLITE_FULL: full,
  SQLITE_READONLY: { why: 'it is read-only', cure: 'Give this user the right to write it and its folder.' },
  SQLITE_CANTOPEN: { why: 'it cannot be opened', cure: rights },
  SQLITE_IOERR: { why: 'the disk answers with an error', cure: 'Check the disk and start again.' },
  ENOSPC: full,
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: { why: 'the file system is read-only', cure: 'Set DATA_DIR to a folder that can be written.' },
  ENOTDIR: misplaced,
  EEXIST: misplaced,
}

export const STANDBY = 'STANDBY'
export const SHARED_POOL = 'SHARED_POOL'

const POSTGRES_REASONS: Record<string, Reason> = {
  ECONNREFUSED: { why: 'nothing listens at that address', cure: 'Start PostgreSQL, or check DATABASE_URL.' },
  ENOTFOUND: { why: 'that host is not known', cure: 'Check DATABASE_URL.' },
  '28P01': { why: 'the password is wrong', cure: 'Check DATABASE_URL.' },
  '28000': { why: 'that user may not connect', cure: 'Check DATABASE_URL and pg_hba.conf.' },
  '3D000': {
    why: 'that database does not exist',
    cure: 'Create it with createdb --encoding UTF8 --template template0, or check DATABASE_URL.',
  },
  [STANDBY]: { why: 'it is a standby and takes no writes', cure: 'If this server takes over, run: npm run takeover' },
  '25006': {
    why: 'it is read-only, though it is no standby',
    cure: 'Look whether its disk is full, which makes some providers lock it, and whether default_transaction_read_only is set for the user or the database.',
  },
  '42P01': { why: 'it has no tables yet', cure: 'Start the server once.' },
  '53100': { why: 'its disk is full', cure: 'Make room on the machine of the database and start again.' },
  '53300': {
    why: 'all of its connections are taken',
    cure: 'Each server needs 11: raise max_connections or the pool.',
  },
  [SHARED_POOL]: {
    why: 'a pooler in front of it shares connections among its clients',
    cure: 'Set it to session mode (PgBouncer: pool_mode = session), or connect to PostgreSQL itself.',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    why: 'its certificate is for another name',
    cure: 'Use the name in the certificate in DATABASE_URL.',
  },
  '42501': { why: 'that user may not create tables', cure: 'Make the user the owner of the database.' },
}

export const FOREIGN_SCHEMA = {
  later: 'it was made by a later version of this application: start that version, or restore a backup from before it',
  unreleased: 'it was made by a build before version 1.0.0: use that build for it, or start with an empty database',
}

/** Node's codes for a certificate that no known authority has signed. */
export const UNTRUSTED = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET|VERIFY)_\w+)$/
const UNKNOWN_CERTIFICATE: Reason = {
  why: 'no authority known to this machine has signed its certificate',
  cure: 'Name the file of the authority, or the certificate itself if it is self-signed, at the end of DATABASE_URL: ?sslmode=verify-full&sslrootcert=/etc/garba/database.pem',
}

/** An unanswered write has no PostgreSQL error code. */
const NO_ANSWER: Reason = {
  why: 'it does not answer in time',
  cure: 'If it waits for a standby that has taken over, leave this server off; otherwise check PostgreSQL and start again.',
}

export class RestoreCutOff extends Error {
  override name = 'RestoreCutOff'
}

const getErrorCure = (error: unknown): string =>
  error instanceof RestoreCutOff ? 'Restore into a new database, and use that one.' : 'Check DATABASE_URL.'

/** The reason for an SQLite or file-system code; extended codes (SQLITE_IOERR_WRITE) count as their family. */
const reasonFor = (code: string): Reason | undefined => REASONS[code] ?? REASONS[code.split('_').slice(0, 2).join('_')]

const ownWords = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const whyUnusable = (error: unknown): string => reasonFor(getErrorCode(error))?.why ?? ownWords(error)

/** SQLite needs some free space: with less than this, any I/O error means that the disk is full. */
const ROOM_BYTES = 256 * 1024

/** On a full disk SQLite may report an I/O error, because its shared-memory file does not fit. */
function codeOn(file: string, code: string): string {
  const folder = dirname(file)
  if (!code.startsWith('SQLITE_IOERR') || !existsSync(folder)) return code
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < ROOM_BYTES ? 'SQLITE_FULL' : code
}

/** The database cannot be used; the message is one sentence for the person who starts the server. */
export class StoreUnusable extends Error {
  override name = 'StoreUnusable'

  static from(error: unknown, file: string): StoreUnusable {
    const reason = reasonFor(codeOn(file, getErrorCode(error)))
    const problem = reason ? `${reason.why}. ${reason.cure}` : `${ownWords(error)}.`
    return new StoreUnusable(`The database ${file} cannot be used: ${problem}`, { cause: error })
  }

  /** The message shows the address without user and password. */
  static fromPostgres(error: unknown, url: string): StoreUnusable {
    const place = URL.canParse(url) ? `${new URL(url).host}${new URL(url).pathname}` : 'of DATABASE_URL'
    const unknown = error instanceof StoreUnavailable ? NO_ANSWER : { why: ownWords(error), cure: getErrorCure(error) }
    const code = getErrorCode(error)
    const { why, cure } = POSTGRES_REASONS[code] ?? (UNTRUSTED.test(code) ? UNKNOWN_CERTIFICATE : unknown)
    return new StoreUnusable(`The PostgreSQL database ${place} cannot be used: ${why}. ${cure}`, { cause: error })
  }
}

/** Whether a failure means "not now" (too many writes, a failed commit, a lock, a full disk) rather than a bug. */
export const isPassing = (error: unknown): boolean =>
  error instanceof StoreUnavailable || /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY)/.test(getErrorCode(error))
