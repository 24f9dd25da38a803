import { existsSync, statfsSync } from 'node:fs'
import { cwd } from 'node:process'
import type { healthAnswerSchema, SystemCheck } from '@garba/shared/contracts/desk'
import { isSilentTonight, SILENT_AFTER_MS } from '@garba/shared/rules/event/inside'
import type * as z from 'zod'
import { isRefusing } from '../../doctor/inside.ts'
import { inWorker } from '../../inWorker.ts'
import { Refusal } from '../../refusal.ts'
import { listDevices } from '../../store/devices.ts'
import type { Store, StoreLoad } from '../../store/engine/store.ts'
import { isPassing } from '../../store/engine/unusable.ts'
import { findEvent } from '../../store/events.ts'
import { type Figures, readFigures } from '../../store/figures.ts'
import { countRefusedMails } from '../../store/jobs.ts'
import { currentRevision, LAST_BACKUP, OPENED_AS, readMeta, writeMeta } from '../../store/meta.ts'
import { lastEventAt } from '../../store/providerEvents.ts'
import type { Deps } from '../deps.ts'
import { readTimes } from '../event/readEvent.ts'
import { estimateInsideNow } from '../gate/inside/figures.ts'
import { retentionNotices } from '../people/retention.ts'
import type { Epoch } from '../recovery/epoch.ts'
import { backupState } from '../recovery/keepBackups.ts'
import { rehearsalFolder } from '../recovery/rehearsal.ts'

interface Alive {
  revision: number
  /** Distinguishes the opened database from its copies. */
  server: string
  readOnly?: string
}

const readOnlyIn = ({ readOnly }: Epoch): { readOnly?: string } => {
  const why = readOnly()
  return why === null ? {} : { readOnly: why }
}

/**
 * Reads the database once to show that the server works. Refuses with UNAVAILABLE when the database file was removed;
 * database errors pass through.
 */
export async function isAlive({ store, log, epoch }: Pick<Deps, 'store' | 'log' | 'epoch'>): Promise<Alive> {
  const revision = await store.read(currentRevision)
  const server = (await store.read((tx) => readMeta(tx, OPENED_AS))) ?? ''
  if (store.isInPlace()) return { revision, server, ...readOnlyIn(epoch) }
  log.error({}, 'the database file is gone: what is written now is lost at the next start')
  throw new Refusal('UNAVAILABLE')
}

export { isPassing }

type Health = z.infer<typeof healthAnswerSchema>['data']

export async function systemHealth(deps: Deps): Promise<Health> {
  const { store, settings } = deps
  const { folder, sizeBytes, walBytes, engine } = await store.condition()
  const { bavail, blocks, bsize } = statfsSync(folder ?? cwd())
  return {
    database: {
      ok: store.isInPlace() && deps.epoch.readOnly() === null && (await canWrite(deps)),
      sizeBytes,
      walBytes,
      revision: await store.read(currentRevision),
    },
    disk: { freeBytes: bavail * bsize, totalBytes: blocks * bsize },
    versions: { app: settings.version, node: process.versions.node, ...engine },
    ...readOnlyIn(deps.epoch),
    uptimeSeconds: Math.round(process.uptime()),
    lastBackup: await store.read((tx) => readMeta(tx, LAST_BACKUP)),
    refusedMails: await store.read(async (tx) => countRefusedMails(tx, { all: await isRefusing(tx) })),
    rehearsed: existsSync(rehearsalFolder(settings)),
    backups: await backupState(deps),
    retention: await retentionNotices(deps),
  }
}

/** Finds a lock or a full disk before a sale does. Only a committed write proves that there is none. */
async function canWrite(deps: Deps): Promise<boolean> {
  try {
    await deps.store.write((tx) => writeMeta(tx, 'checked', deps.now().toISOString()))
    return true
  } catch (error) {
    if (isPassing(error)) return false
    throw error
  }
}

const running = new WeakMap<Store, Promise<SystemCheck[]>>()

export function systemChecks({ store, settings }: Deps): Promise<SystemCheck[]> {
  const known = running.get(store)
  if (known) return known
  const checks = inWorker<SystemCheck[]>(new URL('../../doctor/doctorWorker.ts', import.meta.url), settings).finally(
    () => running.delete(store),
  )
  running.set(store, checks)
  return checks
}

export interface SystemFigures extends Figures {
  load: StoreLoad
  devices: { calling: number; silent: number }
  inside: Awaited<ReturnType<typeof estimateInsideNow>> | null
  capacity: number | null
  backupAge: number | null
  webhookAge: number | null
}

/** Figures for a monitor: counts, and the ages of things that should be recent. They hold no names. */
export const systemFigures = ({ store, settings, now }: Deps): Promise<SystemFigures> =>
  store.read(async (tx) => {
    const at = now()
    const seconds = (then: Date) => Math.max(0, (at.getTime() - then.getTime()) / 1_000)
    const backup = await readMeta(tx, LAST_BACKUP)
    const webhook = await lastEventAt(tx)
    const event = await readTimes({ settings }, tx)
    const listed = await listDevices(tx, { now: at, event })
    const seen = listed.flatMap(({ lastSeen, ended }) => (ended ? [] : { lastSeen: lastSeen.getTime() }))
    const current = await findEvent(tx)
    const isCalledOff = current?.state === 'calledOff'
    return {
      ...(await readFigures(tx, at)),
      load: store.load(),
      devices: {
        calling: seen.filter(({ lastSeen }) => at.getTime() - lastSeen < SILENT_AFTER_MS).length,
        silent: seen.filter((phone) => isSilentTonight(phone, at.getTime())).length,
      },
      inside: current
        ? await estimateInsideNow(tx, { eventId: current.id, isCalledOff, devices: listed, now: at })
        : null,
      capacity: current?.capacity ?? null,
      backupAge: backup === null ? null : seconds(new Date(backup)),
      webhookAge: webhook === null ? null : seconds(webhook),
    }
  })
