import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@garba/shared/constants'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { toLocalDay } from '@garba/shared/rules/event/calendar'
import { makeKeyPair } from '@garba/shared/rules/qr'
import { foldText } from '@garba/shared/rules/search'
import type { Settings } from '../../server/src/config.ts'
import type { Caller, Deps } from '../../server/src/flows/deps.ts'
import { admitTicket } from '../../server/src/flows/gate/admit.ts'
import { recordHeartbeat } from '../../server/src/flows/gate/roster.ts'
import { signInWithToken } from '../../server/src/flows/people/signIn.ts'
import { ensureEpoch } from '../../server/src/flows/recovery/epoch.ts'
import { ensureSigningKey } from '../../server/src/flows/signingKeys.ts'
import { cancelTicket, deleteTicket, recordRefund } from '../../server/src/flows/tickets/changeTickets.ts'
import { sellTickets } from '../../server/src/flows/tickets/sellTickets.ts'
import { makeSigner } from '../../server/src/identity/signer.ts'
import { openStore } from '../../server/src/store/engine/open.ts'
import { newId, type ReadTx } from '../../server/src/store/engine/sql.ts'
import { closing, type Store } from '../../server/src/store/engine/store.ts'
import { findEvent, updateEvent } from '../../server/src/store/events.ts'
import { countTickets } from '../../server/src/store/lists.ts'
import { countUsers, findUserByUid } from '../../server/src/store/users.ts'
import { dice } from '../../server/src/testing/dice.ts'
import { getDataDir } from '../lib/database.ts'
import { SetUpError } from '../setup.mjs'
import { seedDemo } from './seed.ts'

interface Size {
  users: number
  tickets: number
  seats: number
}
const BIG: Size = { users: 5_000, tickets: 12_000, seats: 13_000 }
const DAYS_ON_SALE = 56
const QUANTITIES = [1, 2, 2, 2, 3, 4, 4, 5, 6, 8]
const DELETED = 3
const PHONES = ['Gate A', 'Gate B', 'VIP gate', 'Parking']
const ADMITTED = 0.46

const FIRST_NAMES = 'Aarav Bhavna Chirag Dhara Falguni Hetal Jigar Kinjal Meera Nirav Zoë આરવ હેતલ મીરા'.split(' ')
const SURNAMES = 'Patel Shah Mehta Joshi Trivedi Solanki Chauhan Vaghela Fernandes પટેલ શાહ જોષી'.split(' ')

/**
 * Fills a database, creating it if missing, with 5,000 users, 12,000 tickets sold over eight weeks, and the evening two
 * hours after the gates opened. All data comes from the server's own flows on a simulated clock. Throws SetUpError if
 * the database already has tickets.
 */
export async function seedBig({ settings, now, size = BIG }: { settings: Settings; now: Date; size?: Size }) {
  const opens = now.getTime() - DAYS_ON_SALE * DAY_MS
  await seedDemo({ dataDir: getDataDir(settings), now: new Date(opens) })
  await using store = closing(openStore(settings.databaseFile))
  if ((await store.read(countAll)).tickets > 0)
    throw new SetUpError(`${settings.databaseFile} already has tickets: set DATA_DIR to another folder.`)
  // Made-up data may be lost in a power cut.
  store.sqlite.pragma('synchronous = OFF')
  const stage = await makeStage(store, settings)
  await moveEvent(stage, { now, seats: size.seats })
  const tickets = await sellAll(stage, { opens, now: now.getTime(), size })
  await playEvening(stage, tickets, now.getTime())
  return store.read(countAll)
}

const countAll = async (tx: ReadTx) => ({
  users: await countUsers(tx),
  tickets: await countTickets(tx, { eventId: (await findEvent(tx))?.id ?? '' }),
})

type Stage = Awaited<ReturnType<typeof makeStage>>

async function makeStage(store: Store, settings: Settings) {
  let clock = new Date()
  const now = () => clock
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const deps: Deps = {
    ...{ store, settings, now, log, providers: {}, mailer: null, publicUrl: () => '' },
    // Only this script makes tokens, so a token is simply its claims as JSON.
    verify: async (token) => JSON.parse(token),
    signer: await ensureSigningKey({ store, now }),
    epoch: await ensureEpoch({ store, log }),
    stopping: new AbortController().signal,
  }
  const findCaller = async (uid: string): Promise<Caller> => {
    const user = await store.read((tx) => findUserByUid(tx, uid))
    if (!user) throw new RangeError(`${uid} has not signed up`)
    return user
  }
  const random = dice(20_250_922)
  const setTime = (at: number) => {
    clock = new Date(at)
  }
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  return { deps, setTime, random, pick, findCaller, admin: await findCaller('demo-admin') }
}

/** The event is today, and unless midnight is in between, the gates opened two hours ago. */
async function moveEvent({ deps }: Stage, { now, seats }: { now: Date; seats: number }): Promise<void> {
  const { timezone } = deps.settings
  const date = toLocalDay(now, timezone)
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'short' })
  const formatToday = (at: Date, otherwise: string) =>
    toLocalDay(at, timezone) === date ? format.format(at) : otherwise
  const startTime = formatToday(new Date(now.getTime() - 2 * HOUR_MS), '00:00')
  const endTime = formatToday(new Date(now.getTime() + 2 * HOUR_MS), '23:59')
  await deps.store.write(async (tx) => {
    const event = await findEvent(tx)
    if (event) await updateEvent(tx, event.id, { date, startTime, endTime, totalTickets: seats })
  })
}

/** People sign up one after another; most buy at once, and some early buyers cancel. Returns all tickets that remain. */
async function sellAll(
  { deps, setTime, random, pick, findCaller, admin }: Stage,
  { opens, now, size }: { opens: number; now: number; size: Size },
): Promise<Ticket[]> {
  const people = size.users - (await deps.store.read(countUsers))
  const apart = (now - opens - 3 * HOUR_MS) / people
  const sold: Ticket[] = []
  for (let number = 1; number <= people; number += 1) {
    setTime(opens + number * apart)
    const uid = `guest-${number}`
    const name = `${pick(FIRST_NAMES)} ${pick(SURNAMES)}`
    const email = `${foldText(name).replace(/[^a-z]+/g, '.')}${number}@garba.test`
    const idToken = JSON.stringify({ uid, email, emailVerified: true, provider: 'google.com', name, photoUrl: null })
    await signInWithToken(deps, { idToken })
    const left = size.tickets + DELETED - sold.length
    if (left === 0 || random() > 0.75) continue
    const user = await findCaller(uid)
    const quantity = number === people ? left : Math.min(left, pick(QUANTITIES))
    const sale = await sellTickets(deps, { user, quantity, idempotencyKey: `big-seed-${uid}` })
    sold.push(...sale.tickets)
    const [first] = sale.tickets
    if (first === undefined || random() > 0.1 || now - deps.now().getTime() < 12 * DAY_MS) continue
    await cancelTicket(deps, { user, id: first.id, reason: pick(['Exam dates were moved', 'પરિવારમાં લગ્ન છે']) })
    first.status = 'cancelled'
    if (random() < 0.7) await recordRefund(deps, { admin, id: first.id, isRefundDone: random() < 0.9 })
  }
  for (const { id } of sold.slice(-DELETED)) await deleteTicket(deps, { admin, id })
  return sold
}

/** Three phones are online; the last works offline, lets some in twice, and has not sent everything yet. */
async function playEvening({ deps, setTime, pick, findCaller }: Stage, tickets: readonly Ticket[], now: number) {
  const sender = await findCaller('demo-checker')
  const show = async (qrCode: string, { at, phone = pick(PHONES.slice(0, -1)) }: { at: number; phone?: string }) => {
    setTime(at)
    const device = { deviceId: `phone-${phone}`, deviceName: phone }
    const offline = phone === PHONES.at(-1) ? { admittedOffline: true } : {}
    await admitTicket(deps, {
      sender,
      scan: { qrCode, scanId: crypto.randomUUID(), scannedAt: new Date(at).toISOString(), ...device, ...offline },
    })
  }
  const standing = tickets.slice(0, -DELETED).filter(({ status }) => status === 'active')
  const inside = standing.slice(0, standing.length * ADMITTED)
  const from = now - 2 * HOUR_MS
  const apart = (110 * MINUTE_MS) / inside.length
  for (const [n, { qrCode }] of inside.entries()) await show(qrCode ?? '', { at: from + n * apart })

  const { sign, eventId } = await makeForger(deps)
  const cancelled = tickets.filter(({ status }) => status === 'cancelled')
  const deleted = tickets.slice(-DELETED)
  const twice = [...inside.slice(0, 9), ...cancelled.slice(0, 2), ...deleted.slice(0, 1)].map(
    ({ qrCode }) => qrCode ?? '',
  )
  const lost = await deps.signer.sign({ ticketId: newId(new Date(from)), eventId })
  for (const qrCode of [...twice, lost]) await show(qrCode, { at: now - 8 * MINUTE_MS, phone: PHONES.at(-1) ?? '' })
  const forged = await sign({ ticketId: newId(new Date(from)), eventId })
  const refused = [...inside.slice(-60), ...cancelled.slice(-20), ...deleted].map(({ qrCode }) => qrCode ?? '')
  for (const qrCode of [...refused, forged, 'upi://pay?pa=chai@upi&pn=Chai', '8901030865278'])
    await show(qrCode, { at: now - 5 * MINUTE_MS })

  for (const [n, deviceName] of PHONES.entries()) {
    setTime(now - n * 20 * SECOND_MS)
    const unsent = deviceName === PHONES.at(-1) ? 27 : 0
    const oldestUnsent = unsent > 0 ? { oldestUnsent: new Date(now - 7 * MINUTE_MS).toISOString() } : {}
    const query = { deviceId: `phone-${deviceName}`, deviceName, unsent, since: 0, ...oldestUnsent }
    await recordHeartbeat(deps, { user: sender, query })
  }
}

async function makeForger({ store }: Deps) {
  const pairs = [{ kid: 'forger', ...(await makeKeyPair()), revokedAt: null }]
  return { sign: makeSigner(async () => pairs).sign, eventId: (await store.read(findEvent))?.id ?? '' }
}
