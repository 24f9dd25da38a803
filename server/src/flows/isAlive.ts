import { Refusal } from '../refusal.ts'
import { isInPlace } from '../store/condition.ts'
import { currentRevision } from '../store/meta.ts'
import type { Deps } from './deps.ts'

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
