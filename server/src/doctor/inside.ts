import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@garba/shared/constants'
import { bytesText } from '@garba/shared/messages/amounts'
import { DOCTOR } from '@garba/shared/messages/doctor'
import { ageText } from '@garba/shared/messages/formats'
import { endsTooEarly, findEventTimes } from '@garba/shared/rules/event/eventDay'
import { olderVersion } from '@garba/shared/rules/phones/versions'
import * as z from 'zod'
import { accountantFindings } from '../accountant/accountant.ts'
import { canOpenBackups } from '../backups/sealed.ts'
import { DEFAULT_SUPPORT_EMAIL, NO_PROJECT, type Settings } from '../config.ts'
import { oddSettings } from '../settings/oddSettings.ts'
import { blocksInPhones } from '../store/codeBlocks.ts'
import { listDevices, listPairedDevices } from '../store/devices.ts'
import { inspectBackup, requireFindable } from '../store/engine/backup.ts'
import { formatDatabaseName } from '../store/engine/open.ts'
import { makeRawQuery, type ReadTx } from '../store/engine/sql.ts'
import { findEvent } from '../store/events.ts'
import { BACKUP_FAILED, LAST_BACKUP, LAST_DRILL, MAILS_REFUSED, readMeta } from '../store/meta.ts'
import { lastPaidByLink } from '../store/orders.ts'
import { lastEventAt } from '../store/providerEvents.ts'
import { buildFailure, buildOk, buildWarning, type Check, formatErrorReason, whyOfCode } from './check.ts'

export function settingsCheck({ demo, adminEmails, supportEmail, firebase }: Settings): Check {
  const words = DOCTOR.settings
  const odd = oddSettings()
  if (odd.length > 0) return buildWarning(words.name, odd.join(' '), words.oddCure)
  if (demo) return buildWarning(words.name, words.demo, words.demoCure)
  if (adminEmails.length === 0 && firebase.projectId !== NO_PROJECT)
    return buildWarning(words.name, words.noAdmin, words.noAdminCure)
  if (supportEmail === DEFAULT_SUPPORT_EMAIL) return buildWarning(words.name, words.noSupport, words.noSupportCure)
  if (process.env.NODE_ENV !== 'production')
    return buildWarning(words.name, words.notProduction, words.notProductionCure)
  return buildOk(words.name, words.ok)
}

const LOW_BYTES = 1_000_000_000
const FULL_BYTES = 200_000_000

export function checkDisk(folder: string): Check {
  const words = DOCTOR.disk
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= LOW_BYTES) return buildOk(words.name, words.ok(bytesText(free)))
  return (free >= FULL_BYTES ? buildWarning : buildFailure)(words.name, words.low(bytesText(free)), words.lowCure)
}

/** Whether the file is intact. It is opened for reading, beside a server that may be using it. */
export function databaseFile({ databaseFile: file }: Settings): Check {
  const { name, absent, ok: whole } = DOCTOR.database
  try {
    requireFindable(file)
    if (!existsSync(file)) return buildOk(name, absent)
    inspectBackup(file)
    return buildOk(name, whole(bytesText(statSync(file).size)))
  } catch (error) {
    return buildFailure(name, error instanceof Error ? error.message : formatErrorReason(error))
  }
}

export const olderDatabase = (): Check =>
  buildWarning(DOCTOR.database.name, DOCTOR.database.older, DOCTOR.database.olderCure)

export const postgresAnswers = (settings: Settings): Check =>
  buildOk(DOCTOR.database.name, DOCTOR.database.postgres(formatDatabaseName(settings)))

const computeAgeMs = (at: string | Date, now: Date): number => now.getTime() - new Date(at).getTime()

export async function backupFailure(tx: ReadTx): Promise<Check | null> {
  const { name, failed, failedCure } = DOCTOR.backups
  const kept = await readMeta(tx, BACKUP_FAILED)
  return kept ? buildFailure(name, failed((JSON.parse(kept) as { reason: string }).reason), failedCure) : null
}

/** Mails in a row that the mail server has not taken; stored as empty after a mail that it took. */
const refusedMailsSchema = z.object({ times: z.number(), server: z.string(), why: z.string() })
export type RefusedMails = z.infer<typeof refusedMailsSchema>

export async function readRefusedMails(tx: ReadTx): Promise<RefusedMails | null> {
  const kept = await readMeta(tx, MAILS_REFUSED)
  return kept ? refusedMailsSchema.parse(JSON.parse(kept)) : null
}

/** One refusal may be chance: a busy server, a greylist. */
const REFUSED_IN_A_ROW = 3

export const isRefusing = async (tx: ReadTx): Promise<boolean> =>
  ((await readRefusedMails(tx))?.times ?? 0) >= REFUSED_IN_A_ROW

export async function mailsRefused(tx: ReadTx): Promise<Check | null> {
  const { refused, refusedName, refusedCure } = DOCTOR.mail
  const kept = await readRefusedMails(tx)
  if (kept === null || kept.times < REFUSED_IN_A_ROW) return null
  return buildFailure(refusedName, refused(kept.times, kept.server, whyOfCode(kept.why)), refusedCure)
}

async function backups(tx: ReadTx, { settings, now }: Here): Promise<Check> {
  const words = DOCTOR.backups
  const { name } = words
  const failed = await backupFailure(tx)
  if (failed) return failed
  const last = await readMeta(tx, LAST_BACKUP)
  if (last === null) return buildWarning(name, words.none, words.cure)
  const age = computeAgeMs(last, now)
  if (settings.backups === null) return buildWarning(name, words.byHand(ageText(age)), words.cure)
  return age < DAY_MS
    ? buildOk(name, words.ok(ageText(age)))
    : buildWarning(name, words.old(ageText(age)), words.oldCure)
}

const DRILL_AGE_MS = 30 * DAY_MS

async function drill(tx: ReadTx, { settings, now }: Here): Promise<Check> {
  const words = DOCTOR.drill
  // Where the server cannot open its backups, drills are made where the secret key is.
  if (settings.backupKey !== null && !canOpenBackups(settings.backupKey)) return buildOk(words.name, words.elsewhere)
  const last = await readMeta(tx, LAST_DRILL)
  if (last === null) return buildWarning(words.name, words.never, words.cure)
  const age = computeAgeMs(last, now)
  return age < DRILL_AGE_MS
    ? buildOk(words.name, words.ok(ageText(age)))
    : buildWarning(words.name, words.old(ageText(age)), words.cure)
}

/** A webhook may arrive this much later than the poll that found the payment. */
const WEBHOOK_LATE_MS = 10 * MINUTE_MS

export async function checkWebhook(tx: ReadTx, { settings, now }: Here): Promise<Check[]> {
  if (settings.payments.razorpay === null) return []
  const { name, ok: called, never, silent, cure } = DOCTOR.webhook
  const due = new Date(now.getTime() - WEBHOOK_LATE_MS)
  const [last, paid] = [await lastEventAt(tx), await lastPaidByLink(tx, due)]
  if (last === null) return [buildWarning(name, never, cure)]
  const age = ageText(computeAgeMs(last, now))
  const missed = paid !== null && paid.getTime() - last.getTime() > WEBHOOK_LATE_MS
  return [missed ? buildFailure(name, silent(age), cure) : buildOk(name, called(age))]
}

const SEEN_MS = 12 * HOUR_MS

async function devices(tx: ReadTx, { settings, now }: Here): Promise<Check[]> {
  const words = DOCTOR.devices
  const event = (await findEvent(tx)) ?? null
  const times = event && findEventTimes(event, settings.timezone)
  const seen = (await listDevices(tx, { now, event: times })).filter(
    ({ lastSeen }) => computeAgeMs(lastSeen, now) < SEEN_MS,
  )
  const early = event && times ? await phonesEndingEarly(tx, { ...times, createdAt: event.createdAt, now }) : []
  const ends = early.length === 0 ? [] : [buildWarning(words.name, words.early(early), words.earlyCure)]
  if (seen.length === 0) return [buildOk(words.name, words.none), ...ends]
  const unsent = seen.reduce((sum, device) => sum + device.unsent, 0)
  // Only the first release sends no version.
  const names = seen.flatMap(({ appVersion, name, id }) =>
    appVersion === null || olderVersion(appVersion, settings.version) !== null ? (name ?? id.slice(0, 8)) : [],
  )
  return [
    unsent === 0
      ? buildOk(words.name, words.ok(seen.length))
      : buildWarning(words.name, words.unsent(seen.length, unsent), words.unsentCure),
    ...(names.length === 0 ? [] : [buildWarning(words.name, words.older(names), words.olderCure)]),
    ...ends,
  ]
}

async function phonesEndingEarly(
  tx: ReadTx,
  event: { endsAt: Date; createdAt: Date; now: Date },
): Promise<{ name: string; hasCodes: boolean }[]> {
  const holders = new Set((await blocksInPhones(tx)).map(({ deviceId }) => deviceId))
  return (await listPairedDevices(tx))
    .filter(({ revokedAt, until }) => revokedAt === null && endsTooEarly(until, event))
    .map(({ id, name }) => ({ name, hasCodes: holders.has(id) }))
}

async function books(tx: ReadTx): Promise<Check> {
  const { name, ok: agree, wrong, cure } = DOCTOR.books
  const [first, ...others] = (await accountantFindings(makeRawQuery(tx))).map(({ finding }) => finding)
  return first === undefined ? buildOk(name, agree) : buildFailure(name, wrong(1 + others.length, first), cure)
}

interface Here {
  settings: Settings
  now: Date
}

export const insideDatabase = async (tx: ReadTx, here: Here): Promise<Check[]> => [
  await backups(tx, here),
  await drill(tx, here),
  await books(tx),
  ...(await checkWebhook(tx, here)),
  ...[await mailsRefused(tx)].filter((check) => check !== null),
  ...(await devices(tx, here)),
]

export const checkVersion = ({ version: app }: Settings): Check =>
  buildOk(DOCTOR.version.name, DOCTOR.version.ok(app, process.versions.node))

export const getDatabaseFolder = ({ databaseFile: file }: Settings): string => {
  const folder = dirname(file)
  return existsSync(folder) ? folder : process.cwd()
}
