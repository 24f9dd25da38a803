import { currentRevision } from '../store/meta.ts'
import type { Deps } from './deps.ts'

/** One read of the database: the process lives and can do its work. Throws what the database throws. */
export const isAlive = ({ db }: Deps): { revision: number } => ({ revision: currentRevision(db) })
