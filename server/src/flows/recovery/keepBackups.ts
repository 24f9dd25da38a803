import { dirname, join } from 'node:path'
import { MINUTE_MS } from '@garba/shared/constants'
import type { healthAnswerSchema } from '@garba/shared/contracts/desk'
import { toInstant } from '@garba/shared/rules/event/calendar'
import type * as z from 'zod'
import { listBackups, makeBackup, runHook } from '../../backups/copies.ts'
import type { Settings } from '../../config.ts'
import { Refusal } from '../../refusal.ts'
import { type BackupSettings, DEFAULT_KEEP } from '../../settings/backupSettings.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import type { Store } from '../../store/engine/store.ts'
import { type EventRow, findEvent } from '../../store/events.ts'
import { BACKUP_FAILED, LAST_BACKUP, readMeta, writeMeta } from '../../store/meta.ts'
import type { Deps } from '../deps.ts'
import { getEventEnd } from '../event/readEvent.ts'
import { runRegularly } from '../regularly.ts'

type BackupDeps = Pick<Deps, 'store' | 'settings' | 'now' | 'log'>

const LOOK_MS = 30_000
/** Default intervals: 5 minutes from two hours before the event to two hours after it, otherwise an hour. */
const NEAR_EVENT_MS = 2 * 60 * MINUTE_MS
const NEAR_EVENT_MINUTES = 5
const USUAL_MINUTES = 60

const TRY_AGAIN_MS = 5 * MINUTE_MS

export function keepBackups(deps: BackupDeps & Pick<Deps, 'stopping' | 'epoch'>): () => Promise<void> {
  if (deps.settings.backups === null) return () => Promise.resolve()
  let failedAt = Number.NEGATIVE_INFINITY
  const work = async () => {
    // The clock may have been ahead and set back since.
    if (Math.abs(deps.now().getTime() - failedAt) < TRY_AGAIN_MS) return
    try {
      await backUpIfDue(deps)
    } catch (error) {
      failedAt = deps.now().getTime()
      throw error
    }
  }
  return runRegularly({ work, everyMs: LOOK_MS, atStart: true, failed: 'the backup failed' }, deps)
}

/**
 * Makes a backup if the newest is old enough. A failure is kept for the desk until a backup succeeds; if only the hook
 * failed, it gets the same backup again. Throws the cause of a failure.
 */
export async function backUpIfDue(deps: BackupDeps): Promise<void> {
  const { store, now } = deps
  const { backups } = deps.settings
  if (backups === null) return
  const at = now()
  try {
    const newest = listBackups(backups.dir).find((backup) => backup.at <= at)
    const apartMs = (await minutesApart(deps)) * MINUTE_MS
    const isDue = !newest || at.getTime() - newest.at.getTime() >= apartMs
    if (isDue) await backUp(deps, backups)
    else if (backups.hook !== null && (await store.read(failure))) {
      await runHook(backups.hook, newest.path)
      await forgetFailure(store)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const failed: BackupFailure = { at: at.toISOString(), reason }
    await store.write((tx) => writeMeta(tx, BACKUP_FAILED, JSON.stringify(failed)))
    throw error
  }
}

async function backUp({ store, settings, now, log }: BackupDeps, backups: BackupSettings): Promise<void> {
  const { databaseFile, databaseUrl, backupKey: key } = settings
  const { file, notNoted } = await makeBackup({ ...backups, where: { databaseFile, databaseUrl }, key, at: now() })
  log.info({ file }, 'backed up')
  if (notNoted !== null) log.warn({ file, reason: notNoted }, 'the desk and the alarms do not know of this backup')
  if (await store.read(failure)) await forgetFailure(store)
}

const forgetFailure = (store: Store) => store.write((tx) => writeMeta(tx, BACKUP_FAILED, ''))

const running = new WeakMap<Store, Promise<void>>()

/**
 * Makes a backup at once, in the folder `backups` beside the database if BACKUP_DIR is not set. Requests during a
 * backup share it.
 */
export async function backUpNow(deps: BackupDeps): Promise<{ lastBackup: string }> {
  const { store, settings, now, log } = deps
  const folder = (await store.condition()).folder ?? dirname(settings.databaseFile)
  const beside = { dir: join(folder, 'backups'), keep: DEFAULT_KEEP, every: null, hook: null }
  const at = now().toISOString()
  const making = running.get(store) ?? backUp(deps, settings.backups ?? beside).finally(() => running.delete(store))
  running.set(store, making)
  try {
    await making
  } catch (error) {
    log.error({ err: error }, 'the backup failed')
    throw new Refusal('BACKUP_FAILED')
  }
  return { lastBackup: (await store.read((tx) => readMeta(tx, LAST_BACKUP))) ?? at }
}

interface BackupFailure {
  at: string
  reason: string
}

async function failure(tx: ReadTx): Promise<BackupFailure | null> {
  const kept = await readMeta(tx, BACKUP_FAILED)
  return kept ? (JSON.parse(kept) as BackupFailure) : null
}

const minutesApart = ({ store, settings, now }: BackupDeps): Promise<number> =>
  store.read(async (tx) => backupMinutes(await findEvent(tx), { settings, now: now() }))

export function backupMinutes(
  event: EventRow | undefined,
  { settings: { backups, timezone }, now }: { settings: Settings; now: Date },
): number {
  if (backups?.every) return backups.every
  if (!event) return USUAL_MINUTES
  const begins = toInstant(event.date, event.startTime, timezone).getTime() - NEAR_EVENT_MS
  const ends = getEventEnd(event, timezone).getTime() + NEAR_EVENT_MS
  return begins <= now.getTime() && now.getTime() <= ends ? NEAR_EVENT_MINUTES : USUAL_MINUTES
}

type Backups = z.infer<typeof healthAnswerSchema>['data']['backups']

export async function backupState(deps: BackupDeps): Promise<Backups> {
  const { backups } = deps.settings
  if (backups === null) return null
  return { everyMinutes: await minutesApart(deps), failed: await deps.store.read(failure) }
}
