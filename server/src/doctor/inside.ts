import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bytesText } from '@garba/shared/messages/amounts'
import { DOCTOR } from '@garba/shared/messages/doctor'
import { ageText, formatDecimal } from '@garba/shared/messages/formats'
import { olderVersion } from '@garba/shared/rules/phones/versions'
import { accountantFindings } from '../accountant/accountant.ts'
import { DEFAULT_SUPPORT_EMAIL, NO_PROJECT, type Settings } from '../config.ts'
import { oddSettings } from '../settings/oddSettings.ts'
import { listDevices } from '../store/devices.ts'
import { inspect, requireFindable } from '../store/engine/backup.ts'
import { nameOf } from '../store/engine/open.ts'
import { asks, type ReadTx } from '../store/engine/sql.ts'
import { readTakenOver } from '../store/epoch.ts'
import { BACKUP_FAILED, LAST_BACKUP, LAST_DRILL, readMeta } from '../store/meta.ts'
import { lastPaidByLink } from '../store/orders.ts'
import { lastEventAt } from '../store/providerEvents.ts'
import { type Check, failure, ok, warning, whyOf } from './check.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Finds settings that do not prevent the start but should be fixed. */
export function settingsCheck({ demo, adminEmails, supportEmail, firebase }: Settings): Check {
  const words = DOCTOR.settings
  const odd = oddSettings()
  if (odd.length > 0) return warning(words.name, odd.join(' '), words.oddCure)
  if (demo) return warning(words.name, words.demo, words.demoCure)
  if (adminEmails.length === 0 && firebase.projectId !== NO_PROJECT)
    return warning(words.name, words.noAdmin, words.noAdminCure)
  if (supportEmail === DEFAULT_SUPPORT_EMAIL) return warning(words.name, words.noSupport, words.noSupportCure)
  if (process.env.NODE_ENV !== 'production') return warning(words.name, words.notProduction, words.notProductionCure)
  return ok(words.name, words.ok)
}

const LOW_BYTES = 1_000_000_000
const FULL_BYTES = 200_000_000

export function disk(folder: string): Check {
  const words = DOCTOR.disk
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= LOW_BYTES) return ok(words.name, words.ok(bytesText(free)))
  return (free >= FULL_BYTES ? warning : failure)(words.name, words.low(bytesText(free)), words.lowCure)
}

const SYNCS = 20
const SYNC_BYTES = 4_096
const SLOW_SYNC_MS = 20

/** Measures the median time until written bytes are on disk, because every commit waits that long. */
export function diskSync(folder: string): Check {
  const words = DOCTOR.sync
  const file = join(folder, `garba-doctor.partial-${process.pid}`)
  try {
    const handle = openSync(file, 'w', 0o600)
    try {
      const times = Array.from({ length: SYNCS }, () => syncMs(handle)).sort((a, b) => a - b)
      const median = times[SYNCS / 2] ?? 0
      const found = words.ok(formatDecimal(median), Math.max(1, Math.floor(1_000 / median)))
      return median <= SLOW_SYNC_MS ? ok(words.name, found) : warning(words.name, found, words.slowCure)
    } finally {
      closeSync(handle)
      rmSync(file, { force: true })
    }
  } catch (error) {
    return failure(words.name, words.failed(whyOf(error)), words.failedCure)
  }
}

function syncMs(handle: number): number {
  const from = performance.now()
  writeSync(handle, Buffer.alloc(SYNC_BYTES, 1), 0, SYNC_BYTES, 0)
  fsyncSync(handle)
  return performance.now() - from
}

/** Whether the file is intact. It is opened for reading, beside a server that may be using it. */
export function databaseFile({ databaseFile: file }: Settings): Check {
  const { name, absent, ok: whole } = DOCTOR.database
  try {
    requireFindable(file)
    if (!existsSync(file)) return ok(name, absent)
    inspect(file)
    return ok(name, whole(bytesText(statSync(file).size)))
  } catch (error) {
    return failure(name, error instanceof Error ? error.message : whyOf(error))
  }
}

/** A database of an earlier version is not read. */
export const olderDatabase = (): Check =>
  warning(DOCTOR.database.name, DOCTOR.database.older, DOCTOR.database.olderCure)

export const postgresAnswers = (settings: Settings): Check =>
  ok(DOCTOR.database.name, DOCTOR.database.postgres(nameOf(settings)))

const ageOf = (at: string | Date, now: Date): number => now.getTime() - new Date(at).getTime()

/** The server's latest backup, if it failed. */
export async function backupFailure(tx: ReadTx): Promise<Check | null> {
  const { name, failed, failedCure } = DOCTOR.backups
  const kept = await readMeta(tx, BACKUP_FAILED)
  return kept ? failure(name, failed((JSON.parse(kept) as { reason: string }).reason), failedCure) : null
}

async function backups(tx: ReadTx, { settings, now }: Here): Promise<Check> {
  const words = DOCTOR.backups
  const { name } = words
  const failed = await backupFailure(tx)
  if (failed) return failed
  const last = await readMeta(tx, LAST_BACKUP)
  if (last === null) return warning(name, words.none, words.cure)
  const age = ageOf(last, now)
  if (settings.backups === null) return warning(name, words.byHand(ageText(age)), words.cure)
  return age < DAY_MS ? ok(name, words.ok(ageText(age))) : warning(name, words.old(ageText(age)), words.oldCure)
}

const DRILL_AGE_MS = 30 * DAY_MS

async function drill(tx: ReadTx, { settings, now }: Here): Promise<Check> {
  const words = DOCTOR.drill
  const isPublic = settings.backupKey?.startsWith('age1') ?? false
  const cure = isPublic ? words.sealedCure : words.cure
  const last = await readMeta(tx, LAST_DRILL)
  if (last === null) return warning(words.name, words.never, cure)
  const age = ageOf(last, now)
  return age < DRILL_AGE_MS
    ? ok(words.name, words.ok(ageText(age)))
    : warning(words.name, words.old(ageText(age)), cure)
}

/** A webhook may arrive this much later than the poll that found the payment. */
const WEBHOOK_LATE_MS = 10 * 60_000

export async function webhook(tx: ReadTx, { settings, now }: Here): Promise<Check[]> {
  if (settings.payments.razorpay === null) return []
  const { name, ok: called, never, silent, cure } = DOCTOR.webhook
  const due = new Date(now.getTime() - WEBHOOK_LATE_MS)
  const [last, paid] = [await lastEventAt(tx), await lastPaidByLink(tx, due)]
  if (last === null) return [warning(name, never, cure)]
  const age = ageText(ageOf(last, now))
  const missed = paid !== null && paid.getTime() - last.getTime() > WEBHOOK_LATE_MS
  return [missed ? failure(name, silent(age), cure) : ok(name, called(age))]
}

const DEVICES_READ = 200
const SEEN_MS = 12 * HOUR_MS

async function devices(tx: ReadTx, { settings, now }: Here): Promise<Check[]> {
  const words = DOCTOR.devices
  const seen = (await listDevices(tx, { limit: DEVICES_READ, now })).filter(
    ({ lastSeen }) => ageOf(lastSeen, now) < SEEN_MS,
  )
  if (seen.length === 0) return [ok(words.name, words.none)]
  const unsent = seen.reduce((sum, device) => sum + device.unsent, 0)
  // Only the first release sends no version.
  const names = seen.flatMap(({ appVersion, name, id }) =>
    appVersion === null || olderVersion(appVersion, settings.version) !== null ? (name ?? id.slice(0, 8)) : [],
  )
  return [
    unsent === 0
      ? ok(words.name, words.ok(seen.length))
      : warning(words.name, words.unsent(seen.length, unsent), words.unsentCure),
    ...(names.length === 0 ? [] : [warning(words.name, words.older(names), words.olderCure)]),
  ]
}

async function books(tx: ReadTx): Promise<Check> {
  const { name, ok: agree, wrong, cure } = DOCTOR.books
  const [first, ...others] = (await accountantFindings(asks(tx))).map(({ finding }) => finding)
  return first === undefined ? ok(name, agree) : failure(name, wrong(1 + others.length, first), cure)
}

interface Here {
  settings: Settings
  now: Date
}

/** Whether another server has taken over with a copy of this database. */
async function takeover(tx: ReadTx): Promise<Check> {
  const { name, ok: alone, replaced, replacedCure } = DOCTOR.takeover
  return (await readTakenOver(tx)) === null ? ok(name, alone) : failure(name, replaced, replacedCure)
}

export const insideDatabase = async (tx: ReadTx, here: Here): Promise<Check[]> => [
  await takeover(tx),
  await backups(tx, here),
  await drill(tx, here),
  await books(tx),
  ...(await webhook(tx, here)),
  ...(await devices(tx, here)),
]

export const version = ({ version: app }: Settings): Check =>
  ok(DOCTOR.version.name, DOCTOR.version.ok(app, process.versions.node))

export const folderOf = ({ databaseFile: file }: Settings): string => {
  const folder = dirname(file)
  return existsSync(folder) ? folder : process.cwd()
}
