import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@garba/shared/constants'
import { toInstant, toLocalDay } from '@garba/shared/rules/event/calendar'
import { makeKeyPair } from '@garba/shared/rules/qr'
import { admitTicket } from '../../server/src/flows/gate/admit.ts'
import { acknowledgeConflict } from '../../server/src/flows/gate/conflicts.ts'
import { recordHeartbeat } from '../../server/src/flows/gate/roster.ts'
import { makeSigner } from '../../server/src/identity/signer.ts'
import { listConflicts } from '../../server/src/store/conflicts.ts'
import { idFor, newId } from '../../server/src/store/engine/sql.ts'
import { findEvent } from '../../server/src/store/events.ts'
import { currentRevision } from '../../server/src/store/meta.ts'
import type { Random } from './random.ts'
import { getSeatTicket, type SalesPlan, type Seat } from './sales.ts'
import type { Stage } from './stage.ts'

const EVENING_MINUTES = 120
const ADMITTED = 0.46
const ACKNOWLEDGED = 4

const NOT_TICKETS = [
  'upi://pay?pa=chai@upi&pn=Chai',
  'https://instagr.am/garbarass',
  'WIFI:S:Rangmanch;T:WPA;P:garba2025;;',
  '8901030865278',
]

interface EveningPlan extends SalesPlan {
  stage: Stage
  random: Random
  now: Date
}
interface Entry {
  seat: Seat
  at: number
  device: Device
}

export async function planEvening(evening: EveningPlan): Promise<void> {
  const entries = planEntries(evening)
  planConflicts(evening, entries)
  await planRefusals(evening, entries)
  planHeartbeats(evening)
}

interface PresentedCode {
  /** Called when the code is shown, which is after planning. */
  code: () => string | Promise<string>
  at: number
  device: Device
}

/** An offline phone admits people by itself and reports them once it is back online. */
function show({ stage, random, now }: EveningPlan, { code, at, device }: PresentedCode): void {
  const spell = device.id === OFFLINE_SPELL.deviceId ? OFFLINE_SPELL : null
  const minutesAgo = (now.getTime() - at) / MINUTE_MS
  const offline = spell !== null && minutesAgo <= spell.fromMinutesAgo && minutesAgo > spell.toMinutesAgo
  const sentAt = offline ? now.getTime() - spell.toMinutesAgo * MINUTE_MS + random.int(0, 20) * SECOND_MS : at
  const scanId = random.uuid()
  stage.timeline.add(sentAt, async () =>
    admitTicket(stage.deps, {
      sender: await stage.userOf(device.checkerUid),
      scan: {
        qrCode: await code(),
        scanId,
        scannedAt: new Date(at).toISOString(),
        deviceId: device.id,
        deviceName: device.name,
        ...(offline ? { admittedOffline: true } : {}),
      },
    }),
  )
}

const deferTicketCode = (seat: Seat) => (): string => getSeatTicket(seat).qrCode ?? ''

function planEntries(evening: EveningPlan): Entry[] {
  const { random, standing, now } = evening
  const minutes = Array.from({ length: EVENING_MINUTES }, (_, minute) => {
    return [minute, Math.exp(-(((minute - 75) / 34) ** 2)) + 0.12] as const
  })
  const groups = new Map<object, Seat[]>()
  for (const seat of standing) groups.set(seat.sale, [...(groups.get(seat.sale) ?? []), seat])
  const entries: Entry[] = []
  for (const group of random.shuffled([...groups.values()])) {
    if (entries.length >= standing.length * ADMITTED) break
    const device = random.weighted(DEVICES.map((each) => [each, each.share] as const))
    const from = now.getTime() - (EVENING_MINUTES - random.weighted(minutes)) * MINUTE_MS
    let at = Math.max(from + random.int(0, 59) * SECOND_MS, (group[0]?.sale.at ?? 0) + MINUTE_MS)
    for (const seat of group) {
      at += random.int(2, 6) * SECOND_MS
      if (at < now.getTime() - 5 * SECOND_MS) entries.push({ seat, at, device })
    }
  }
  const reported = entries.filter(({ at, device }) => !isUnsent(evening, { at, device }))
  for (const { seat, at, device } of reported) show(evening, { code: deferTicketCode(seat), at, device })
  return reported
}

const isUnsent = ({ now }: EveningPlan, { at, device }: Omit<Entry, 'seat'>): boolean =>
  device.id === OFFLINE_NOW.deviceId && at > now.getTime() - OFFLINE_NOW.sinceMinutesAgo * MINUTE_MS

function planConflicts(evening: EveningPlan, entries: readonly Entry[]): void {
  const { stage, random, now, cancelled, deleted } = evening
  const { deviceId, fromMinutesAgo, toMinutesAgo } = OFFLINE_SPELL
  const device = DEVICES.find(({ id }) => id === deviceId)
  if (!device) return
  const begins = now.getTime() - fromMinutesAgo * MINUTE_MS
  const inSpell = () => begins + random.int(30, (fromMinutesAgo - toMinutesAgo - 1) * 60) * SECOND_MS
  const before = entries.filter((entry) => entry.device !== device && entry.at < begins)
  const twice = random.shuffled(before).slice(0, 9)
  for (const { seat } of twice) show(evening, { code: deferTicketCode(seat), at: inSpell(), device })
  for (const seat of [...cancelled.slice(0, 2), ...deleted.slice(0, 1)])
    show(evening, { code: deferTicketCode(seat), at: inSpell(), device })
  const at = inSpell()
  const ticketId = idFor('a ticket that is not in the list', new Date(at - HOUR_MS))
  show(evening, {
    code: async () => stage.deps.signer.sign({ ticketId, eventId: await readEventId(stage) }),
    at,
    device,
  })
  stage.timeline.add(now.getTime() - 12 * MINUTE_MS, async () => {
    const eventId = await readEventId(stage)
    const conflicts = await stage.deps.store.read((tx) => listConflicts(tx, { eventId, limit: 1_000 }))
    const admin = await stage.userOf('demo-admin')
    for (const { id } of conflicts.slice(-ACKNOWLEDGED)) await acknowledgeConflict(stage.deps, { admin, id })
  })
}

const readEventId = async ({ deps }: Stage): Promise<string> => (await deps.store.read(findEvent))?.id ?? ''

async function planRefusals(evening: EveningPlan, entries: readonly Entry[]): Promise<void> {
  const { stage, random, now, cancelled, deleted } = evening
  const online = DEVICES.filter(
    ({ id, share }) => share > 0 && id !== OFFLINE_SPELL.deviceId && id !== OFFLINE_NOW.deviceId,
  )
  const sometime = () => now.getTime() - random.int(1, EVENING_MINUTES * 60 - 60) * SECOND_MS
  const refuse = (code: PresentedCode['code'], at: number) => show(evening, { code, at, device: random.pick(online) })
  const early = entries.filter(({ at }) => at < now.getTime() - 45 * MINUTE_MS)
  for (const { seat } of random.shuffled(early).slice(0, 62))
    refuse(deferTicketCode(seat), now.getTime() - random.int(20, 36 * 60) * SECOND_MS)
  for (const seat of random.shuffled(cancelled).slice(0, 21)) refuse(deferTicketCode(seat), sometime())
  for (let i = 0; i < 27; i++) {
    const text = random.pick(NOT_TICKETS)
    refuse(() => text, sometime())
  }
  for (const seat of deleted) refuse(deferTicketCode(seat), sometime())
  const forgedPairs = [{ kid: 'forger', ...(await makeKeyPair()), revokedAt: null }]
  const forger = makeSigner(async () => forgedPairs)
  for (let i = 0; i < 9; i++)
    refuse(
      async () => forger.sign({ ticketId: newId(stage.deps.now()), eventId: await readEventId(stage) }),
      sometime(),
    )
}

function planHeartbeats({ stage, now }: EveningPlan): void {
  for (const device of DEVICES) {
    const { id, name, checkerUid, seenSecondsAgo, unsent, oldestMinutesAgo, behind } = device
    stage.timeline.add(now.getTime() - seenSecondsAgo * SECOND_MS, async () => {
      const revision = await stage.deps.store.read(currentRevision)
      await recordHeartbeat(stage.deps, {
        user: await stage.userOf(checkerUid),
        query: {
          deviceId: id,
          deviceName: name,
          unsent,
          since: Math.max(0, revision - behind),
          ...(unsent > 0 ? { oldestUnsent: new Date(now.getTime() - oldestMinutesAgo * MINUTE_MS).toISOString() } : {}),
        },
      })
    })
  }
}

interface Device {
  id: string
  name: string
  checkerUid: string
  share: number
  seenSecondsAgo: number
  unsent: number
  oldestMinutesAgo: number
  behind: number
}

const calm = { seenSecondsAgo: 6, unsent: 0, oldestMinutesAgo: 0, behind: 2 }

const DEVICES: readonly Device[] = [
  { ...calm, id: 'phone-a1', name: 'Gate A, left', checkerUid: 'demo-checker', share: 24, seenSecondsAgo: 4 },
  { ...calm, id: 'phone-a2', name: 'Gate A, right', checkerUid: 'checker-2', share: 22, seenSecondsAgo: 11 },
  { ...calm, id: 'phone-b1', name: 'Gate B, left', checkerUid: 'checker-3', share: 19, seenSecondsAgo: 17, unsent: 3 },
  { ...calm, id: 'phone-b2', name: 'Gate B, right', checkerUid: 'checker-4', share: 17, seenSecondsAgo: 23, behind: 9 },
  { ...calm, id: 'phone-vip', name: 'VIP gate', checkerUid: 'checker-5', share: 8, seenSecondsAgo: 2, behind: 0 },
  {
    id: 'phone-parking',
    name: 'Parking',
    checkerUid: 'checker-6',
    share: 10,
    seenSecondsAgo: 95,
    unsent: 27,
    oldestMinutesAgo: 7,
    behind: 310,
  },
  {
    ...calm,
    id: 'phone-spare',
    name: 'Spare phone',
    checkerUid: 'checker-2',
    share: 0,
    seenSecondsAgo: 4_300,
    behind: 40,
  },
]

const OFFLINE_SPELL = { deviceId: 'phone-b2', fromMinutesAgo: 52, toMinutesAgo: 40 } as const
const OFFLINE_NOW = { deviceId: 'phone-parking', sinceMinutesAgo: 7 } as const

export const CHECKERS = [
  { uid: 'checker-2', name: 'Bhavna Solanki', email: 'bhavna@garba.test' },
  { uid: 'checker-3', name: 'Ketan Rathod', email: 'ketan@garba.test' },
  { uid: 'checker-4', name: 'હેતલ વ્યાસ', email: 'hetal@garba.test' },
  { uid: 'checker-5', name: 'Irfan Shaikh', email: 'irfan@garba.test' },
  { uid: 'checker-6', name: 'Nayan Gohil', email: 'nayan@garba.test' },
] as const

const DAYS_ON_SALE = 56

const HOURS = [1, 0.5, 0.2, 0.1, 0.1, 0.3, 0.8, 1.5, 2.5, 3, 3.5, 4, 5, 5.5, 4.5, 4, 4.5, 6, 9, 13, 16, 15, 9, 4].map(
  (weight, hour) => [hour, weight] as const,
)
const QUANTITIES = [
  [1, 22],
  [2, 37],
  [3, 10],
  [4, 14],
  [5, 6],
  [6, 5],
  [8, 4],
  [10, 2],
] as const

function computeSalesWeight(daysBefore: number, weekday: number): number {
  const opening = 6 * Math.exp(-(DAYS_ON_SALE - daysBefore) / 3)
  const lastDays = 5 * Math.exp(-daysBefore / 6)
  return (1 + opening + lastDays) * (weekday === 0 || weekday === 6 ? 1.6 : 1)
}

export interface History {
  opens: Date
  saleAt: () => Date
  quantity: () => number
}

export function makeHistory({ random, now, timezone }: { random: Random; now: Date; timezone: string }): History {
  const days = Array.from({ length: DAYS_ON_SALE + 1 }, (_, daysBefore) => {
    const day = toLocalDay(new Date(now.getTime() - daysBefore * DAY_MS), timezone)
    return [day, computeSalesWeight(daysBefore, new Date(`${day}T00:00Z`).getUTCDay())] as const
  })
  const opens = new Date(now.getTime() - (DAYS_ON_SALE + 2) * DAY_MS)
  const latest = now.getTime() - MINUTE_MS
  const saleAt = (): Date => {
    const day = random.weighted(days)
    const hhmm = `${pad(random.weighted(HOURS))}:${pad(random.int(0, 59))}`
    const at = toInstant(day, hhmm, timezone).getTime() + random.int(0, 59_999)
    return at < latest ? new Date(at) : saleAt()
  }
  return {
    opens,
    saleAt,
    quantity: () => random.weighted(QUANTITIES),
  }
}

const pad = (number: number): string => String(number).padStart(2, '0')
