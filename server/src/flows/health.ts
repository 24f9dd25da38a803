import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { healthAnswerSchema } from '@garba/shared/contracts/desk'
import type * as z from 'zod'
import { Refusal } from '../refusal.ts'
import { conditionOf, isInPlace } from '../store/condition.ts'
import { currentRevision, readMeta, writeMeta } from '../store/meta.ts'
import { isPassing } from '../store/unusable.ts'
import { type Deps, inTransaction } from './deps.ts'

/**
 * One read of the database: the process lives and can do its work. Refuses with UNAVAILABLE when the database file was
 * removed; throws what the database throws.
 */
export function isAlive({ db, log }: Pick<Deps, 'db' | 'log'>): { revision: number } {
  const revision = currentRevision(db)
  if (isInPlace(db)) return { revision }
  log.error({}, 'the database file is gone: what is written now is lost at the next start')
  throw new Refusal('UNAVAILABLE')
}

export { isPassing }

type Health = z.infer<typeof healthAnswerSchema>['data']

/** What an admin wants to know before the evening: database, room on the disk, versions, last backup (DECISIONS 2). */
export function systemHealth(deps: Deps): Health {
  const { db, settings } = deps
  const { file, sizeBytes, walBytes, sqliteVersion } = conditionOf(db)
  const { bavail, blocks, bsize } = statfsSync(dirname(file || settings.databaseFile))
  return {
    database: { ok: isInPlace(db) && takesWrites(deps), sizeBytes, walBytes, revision: currentRevision(db) },
    disk: { freeBytes: bavail * bsize, totalBytes: blocks * bsize },
    versions: { app: settings.version, node: process.versions.node, sqlite: sqliteVersion },
    uptimeSeconds: Math.round(process.uptime()),
    lastBackup: readMeta(db, 'lastBackup'),
  }
}

/** A lock or a full disk shows here before it shows at the till; only what is written for good proves that there is none. */
function takesWrites(deps: Deps): boolean {
  try {
    inTransaction(deps, (tx) => writeMeta(tx, 'checked', deps.now().toISOString()))
    return true
  } catch (error) {
    if (isPassing(error)) return false
    throw error
  }
}
