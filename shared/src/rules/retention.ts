import { RETENTION_BACKUP_MS, RETENTION_WARNING_MS } from '../constants.ts'

/** What is known of a closed event whose people will be made anonymous. Milliseconds since 1970. */
interface Kept {
  /** When its people have been kept for three years. */
  dueAt: number
  /** When the desk began to warn; null before. */
  warnedAt: number | null
  lastBackup: number | null
}

/** When its people are made anonymous at the earliest: never before the desk has warned for 30 days. */
export const anonymousFrom = ({ dueAt, warnedAt }: { dueAt: number; warnedAt: number }): number =>
  Math.max(dueAt, warnedAt + RETENTION_WARNING_MS)

/** Whether there is a verified backup of the last seven days. One from the future proves nothing. */
export const hasFreshBackup = (lastBackup: number | null, now: number): boolean =>
  lastBackup !== null && lastBackup <= now && now - lastBackup <= RETENTION_BACKUP_MS

export type RetentionStep = 'keep' | 'warn' | 'needsBackup' | 'makeAnonymous'

/** What the daily job has to do for a closed event. */
export function retentionStep({ dueAt, warnedAt, lastBackup }: Kept, now: number): RetentionStep {
  if (warnedAt === null) return now < dueAt - RETENTION_WARNING_MS ? 'keep' : 'warn'
  if (now < anonymousFrom({ dueAt, warnedAt })) return 'keep'
  return hasFreshBackup(lastBackup, now) ? 'makeAnonymous' : 'needsBackup'
}
