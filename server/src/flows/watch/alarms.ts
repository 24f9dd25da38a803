import { randomUUID } from 'node:crypto'
import { MINUTE_MS } from '@garba/shared/constants'
import type { SystemAlarm } from '@garba/shared/contracts/desk'
import { DOCTOR } from '@garba/shared/messages/doctor'
import { ageText } from '@garba/shared/messages/formats'
import { retryAfterMs } from '@garba/shared/rules/orders/orderMoney'
import { buildFailure, type Check } from '../../doctor/check.ts'
import { backupFailure, checkDisk, checkWebhook, getDatabaseFolder, mailsRefused } from '../../doctor/inside.ts'
import { checkCertificate } from '../../doctor/outside.ts'
import { alertLetter } from '../../mail/compose.ts'
import type { Mailer } from '../../mail/mails.ts'
import { listDevices } from '../../store/devices.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import { findEvent } from '../../store/events.ts'
import { LAST_BACKUP, readMeta, writeMeta } from '../../store/meta.ts'
import type { Deps } from '../deps.ts'
import { computeTimes } from '../event/readEvent.ts'
import { siteTitle } from '../event/siteConfig.ts'
import { readBooks } from '../money/books.ts'
import { backupMinutes } from '../recovery/keepBackups.ts'
import { runRegularly } from '../regularly.ts'

const CERTIFICATE_MS = 6 * 60 * MINUTE_MS
const BACKUPS_MISSED = 3
const SILENT_MS = 10 * MINUTE_MS
const USED_MS = 3 * 60 * MINUTE_MS

const ALARMS = 'alarms'

/**
 * An alarm as stored. `sees` names the server that found a problem of its machine, and only that server knows when it
 * is over. Problems of the database have no `sees`.
 */
type StoredAlarm = SystemAlarm & { mailed: boolean; sees?: { server: string; at: string } }

/** A server that has not looked for this long counts as stopped. */
const GONE_MS = 5 * MINUTE_MS

export interface AlarmDeps extends Pick<Deps, 'store' | 'settings' | 'publicUrl' | 'now' | 'log'> {
  alerts: Mailer | null
}

/**
 * Looks each minute for problems that need a person, until the server stops: it lists them on Evening and mails them to
 * ALERT_EMAIL.
 */
export function startAlarmRounds(deps: AlarmDeps & Pick<Deps, 'stopping' | 'epoch'>): () => Promise<void> {
  let read: { at: number; check: Check | null } | null = null
  const server = randomUUID()
  const work = async () => {
    const at = deps.now().getTime()
    // The clock may have been ahead and set back since. A problem may be over at any moment.
    if (read === null || isWrong(read.check) || Math.abs(at - read.at) > CERTIFICATE_MS)
      read = { at, check: await checkCertificate(deps.settings) }
    await updateAlarms(deps, { found: read.check, server })
  }
  return runRegularly({ work, everyMs: MINUTE_MS, atStart: false, failed: 'alarms could not be looked for' }, deps)
}

const isWrong = (check: Check | null): check is Check => check !== null && check.status !== 'ok'

/** Stores the current problems, and mails new problems, or that all are over. */
export async function updateAlarms(
  deps: AlarmDeps,
  { found = null, server = '' }: { found?: Check | null; server?: string } = {},
): Promise<void> {
  const { store, settings, now, log } = deps
  const here = [found, checkDisk(getDatabaseFolder(settings))].filter(isWrong)
  const shared = [...(await insideAlarms(deps)), await booksAlarm(deps)].filter(isWrong)
  const at = now().toISOString()
  const { before, after } = await store.write(async (tx) => {
    const kept = await keptAlarms(tx)
    const alarmOf = ({ name, detail, cure }: Check): StoredAlarm => {
      const known = kept.find((alarm) => alarm.name === name)
      return { name, detail, cure, since: known?.since ?? at, mailed: known?.mailed ?? false }
    }
    const own = [...here.map((check) => ({ ...alarmOf(check), sees: { server, at } })), ...shared.map(alarmOf)]
    const others = kept.filter((alarm) => isOfAnother(alarm, { server, at }))
    const next = [...own, ...others.filter(({ name }) => !own.some((alarm) => alarm.name === name))]
    if (JSON.stringify(kept) !== JSON.stringify(next)) await writeMeta(tx, ALARMS, JSON.stringify(next))
    if (JSON.stringify(kept.map(shownAlarm)) !== JSON.stringify(next.map(shownAlarm))) tx.announceChanges('evening')
    return { before: kept, after: next }
  })
  const begun = after.filter(({ name }) => !before.some((alarm) => alarm.name === name))
  for (const { name } of begun) log.warn({ alarm: name }, 'alarm')
  if (begun.length > 0 && deps.alerts) refused.delete(deps.alerts)
  const isNew = after.some(({ mailed }) => !mailed)
  const isOver = after.length === 0 && before.some(({ mailed }) => mailed)
  if (isNew || isOver) await mailAlarms(deps, after)
}

const isOfAnother = ({ sees }: StoredAlarm, { server, at }: { server: string; at: string }): boolean =>
  sees !== undefined && sees.server !== server && Math.abs(Date.parse(at) - Date.parse(sees.at)) < GONE_MS

/** The number of consecutive mails that a mail server did not accept, and the time of the last attempt. */
const refused = new WeakMap<Mailer, { times: number; at: number }>()

/** A failed mail is retried with growing pauses, at most an hour, except the mail that all is well. */
async function mailAlarms(deps: AlarmDeps, alarms: readonly StoredAlarm[]) {
  const { alerts, store, settings, publicUrl, now, log } = deps
  const { alertEmail: address, supportEmail, timezone } = settings
  if (alerts === null || address === null) return
  const { times, at } = refused.get(alerts) ?? { times: 0, at: 0 }
  // A mail server may block a client that tries a wrong password or address each minute.
  if (times > 0 && Math.abs(now().getTime() - at) < retryAfterMs(times)) return
  const letter = alertLetter(
    { address, alarms },
    { title: await siteTitle(deps), url: publicUrl(), supportEmail, timezone },
  )
  const sent = await alerts.send(letter, { key: `alarm-${now().getTime()}`, at: now() })
  if (sent.outcome !== 'accepted') {
    refused.set(alerts, { times: times + 1, at: now().getTime() })
    return log.warn({ why: sent.why }, 'the mail about alarms was not taken')
  }
  refused.delete(alerts)
  await store.write(async (tx) => {
    const mailed = (await keptAlarms(tx)).map((alarm) => ({
      ...alarm,
      mailed: alarm.mailed || alarms.some(({ name }) => name === alarm.name),
    }))
    await writeMeta(tx, ALARMS, JSON.stringify(mailed))
  })
}

async function keptAlarms(tx: ReadTx): Promise<StoredAlarm[]> {
  const kept = await readMeta(tx, ALARMS)
  return kept === null ? [] : (JSON.parse(kept) as StoredAlarm[])
}

export const systemAlarms = async (tx: ReadTx): Promise<SystemAlarm[]> => (await keptAlarms(tx)).map(shownAlarm)

const shownAlarm = ({ name, detail, cure, since }: StoredAlarm): SystemAlarm => ({ name, detail, cure, since })

const insideAlarms = (deps: AlarmDeps): Promise<(Check | null)[]> =>
  deps.store.read(async (tx) => {
    const here = { settings: deps.settings, now: deps.now() }
    const [silentWebhook] = await checkWebhook(tx, here)
    return [
      await backupAlarm(tx, deps),
      silentWebhook?.status === 'failure' ? silentWebhook : null,
      await silentDevices(tx, deps),
      await mailsRefused(tx),
    ]
  })

async function backupAlarm(tx: ReadTx, { settings, now }: AlarmDeps): Promise<Check | null> {
  if (settings.backups === null) return null
  const failed = await backupFailure(tx)
  if (failed) return failed
  const last = await readMeta(tx, LAST_BACKUP)
  if (last === null) return null
  const age = now().getTime() - Date.parse(last)
  const minutes = backupMinutes(await findEvent(tx), { settings, now: now() })
  if (age < BACKUPS_MISSED * minutes * MINUTE_MS) return null
  return buildFailure(DOCTOR.backups.name, DOCTOR.backups.old(ageText(age)), DOCTOR.backups.oldCure)
}

async function silentDevices(tx: ReadTx, { settings, now }: AlarmDeps): Promise<Check | null> {
  const event = await findEvent(tx)
  if (!event) return null
  const at = now().getTime()
  const times = computeTimes(event, settings.timezone)
  if (at < times.startsAt.getTime() || at > times.endsAt.getTime()) return null
  const silent: string[] = []
  for (const { name, checkerName, lastSeen, ended } of await listDevices(tx, { now: now(), event: times })) {
    const age = at - lastSeen.getTime()
    if (!ended && age >= SILENT_MS && age < USED_MS) silent.push(name ?? checkerName)
  }
  const { name, silent: text, silentCure } = DOCTOR.devices
  return silent.length === 0 ? null : buildFailure(name, text(silent), silentCure)
}

async function booksAlarm({ store }: AlarmDeps): Promise<Check | null> {
  const broken = (await readBooks({ store })).filter(({ ok }) => !ok)
  const { name, wrong, cure } = DOCTOR.books
  const count = broken.reduce((sum, line) => sum + line.count, 0)
  return broken.length === 0 ? null : buildFailure(name, wrong(count, broken[0]?.examples[0] ?? ''), cure)
}
