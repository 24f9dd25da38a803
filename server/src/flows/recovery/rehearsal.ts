import { dirname, join } from 'node:path'
import { EVENT_LIMITS } from '@garba/shared/constants'
import { REHEARSAL as WORDS } from '@garba/shared/messages/common'
import { toLocalDay } from '@garba/shared/rules/event/calendar'
import { truncateText } from '@garba/shared/rules/search'
import type { Settings } from '../../config.ts'
import { orRefuse, Refusal } from '../../refusal.ts'
import { listGates, replaceGates } from '../../store/devices.ts'
import { newId, type ReadTx } from '../../store/engine/sql.ts'
import type { Store } from '../../store/engine/store.ts'
import { findEvent, findImage, putImage, updateEvent } from '../../store/events.ts'
import { IDENTITY_KEYS, REHEARSAL, readMeta, writeMeta } from '../../store/meta.ts'
import { insertEvent } from '../../store/typeSeats.ts'
import { allUsers, insertUser, type UserRow } from '../../store/users.ts'

/**
 * A rehearsal is a separate database with the data that practice needs from the real one: the event, its gates and the
 * crew. It makes its own signing keys, event id and secrets, so nothing it signs is valid elsewhere. Tickets, orders,
 * guests and paired phones are never copied.
 */
export async function fillRehearsal({ from, to, now, timezone, codes }: RehearsalOptions): Promise<void> {
  const real = orRefuse(await from.read(realEvening), 'EVENT_NOT_FOUND')
  const { event, image, gates, crew, identityKeys } = real
  await to.write(async (tx) => {
    await writeMeta(tx, REHEARSAL, now.toISOString())
    if (image) await putImage(tx, image)
    await insertEvent(tx, {
      ...event,
      id: newId(now),
      name: rehearsalName(event.name),
      ...wholeDay(toLocalDay(now, timezone)),
      ...{ totalTickets: Math.max(event.totalTickets, codes), takenSeats: 0 },
      ...{ createdAt: now, updatedAt: now, salesFrom: null, salesUntil: null, paused: null },
    })
    await replaceGates(tx, gates)
    for (const { wasChecker: _, searchText: __, ...user } of crew) await insertUser(tx, user)
    // With Google's public keys the crew can sign in without internet.
    if (identityKeys !== null) await writeMeta(tx, IDENTITY_KEYS, identityKeys)
  })
}

/** Beside the real database. */
export const rehearsalFolder = ({ databaseFile }: Pick<Settings, 'databaseFile'>): string =>
  join(dirname(databaseFile), 'rehearsal')

/** The event lasts all day, so that the crew can practise at any hour. */
const wholeDay = (date: string) => ({ date, startTime: '00:00', endTime: '23:59', endsNextDay: false })

/** Sets the event of a rehearsal made on an earlier day to today; its printed test codes stay valid. */
export async function rehearseToday({ store, now, timezone }: Today): Promise<void> {
  const date = toLocalDay(now, timezone)
  await store.write(async (tx) => {
    const event = await findEvent(tx)
    if (event && event.date !== date) await updateEvent(tx, event.id, { ...wholeDay(date), updatedAt: now })
  })
}

interface Today {
  store: Store
  now: Date
  timezone: string
}

interface RehearsalOptions {
  from: Pick<Store, 'read'>
  to: Store
  now: Date
  timezone: string
  codes: number
}

async function realEvening(tx: ReadTx) {
  const event = await findEvent(tx)
  if (!event) return null
  return {
    event,
    image: event.imageHash === null ? undefined : await findImage(tx, event.imageHash),
    gates: await listGates(tx),
    crew: (await allUsers(tx)).filter(({ role }) => role !== 'guest'),
    identityKeys: await readMeta(tx, IDENTITY_KEYS),
  }
}

/**
 * An event's name in a rehearsal. Tickets, sheets, receipts and mails all print it, so none can pass for a real one.
 */
export const rehearsalName = (name: string): string =>
  name.startsWith(WORDS.mark) ? name : truncateText(EVENT_LIMITS.name, `${WORDS.mark}: ${name}`)

export const isRehearsal = async (store: Pick<Store, 'read'>): Promise<boolean> =>
  (await store.read((tx) => readMeta(tx, REHEARSAL))) !== null

/**
 * The settings for a server of this database. A rehearsal takes no money, sends no mails or alarms, makes no backups
 * and asks no other server, wherever its file is opened and whatever the environment sets.
 */
export async function settingsFor({ store, settings }: { store: Store; settings: Settings }): Promise<Settings> {
  if (!(await isRehearsal(store))) return settings
  return {
    ...settings,
    rehearsal: true,
    payments: { ...settings.payments, on: false, guest: [], desk: false, razorpay: null, upi: null },
    mail: null,
    alertEmail: null,
    backups: null,
    checksAddress: false,
  }
}

export function requireCrew({ settings }: { settings: Settings }, { role }: Pick<UserRow, 'role'>): void {
  if (settings.rehearsal && role === 'guest') throw new Refusal('REHEARSAL_CREW_ONLY')
}
