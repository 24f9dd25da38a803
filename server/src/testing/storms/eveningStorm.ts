import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EPOCH_HEADER } from '@garba/shared/constants'
import type { EveningFigures as GateView } from '@garba/shared/contracts/desk'
import { RIGHTS } from '@garba/shared/contracts/names'
import type { BatchResult } from '@garba/shared/contracts/phones/scan'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { parseEpoch } from '@garba/shared/rules/phones/versions'
import { restoreBackup, takeOverPostgres } from '../../flows/recovery/epoch.ts'
import { backUp } from '../../store/engine/backup.ts'
import { type Answer, type Send, signedIn, tokenOf } from '../caller.ts'
import { dice, type Random } from '../dice.ts'
import { deviceToken, phoneKeys } from '../phone.ts'
import { freePort } from '../postgres.ts'
import { eventForm } from '../scenes.ts'
import {
  accountantOf,
  nameLeadingTo,
  newFolder,
  reading,
  resourcesOf,
  type Served,
  served,
  type WhenOver,
} from './served.ts'

interface Storm {
  seed: number
  tickets: number
  phones: number
  kills: number
  /** The share of codes that are shown at two gates. */
  doubles: number
  /** From one guest to the next at a phone (ms). */
  paceMs: number
  /** Whether another machine takes over at the end. */
  takeover: boolean
  postgres?: string | undefined
  whenOver: WhenOver
  progress?: (done: number) => void
}

interface Stormed {
  findings: string[]
  shown: number
  doubles: number
  /** Admissions that a phone decided without the server. */
  offline: number
  /** Scans that were sent more than once. */
  again: number
  seconds: number
}

/** A person who was let in, as their phone keeps it. */
interface Kept {
  scanId: string
  ticketId: string
  qrCode: string
  group: boolean
  scannedAt: string
  admittedOffline: boolean
  /** The epoch of the latest server that has answered; null before any. */
  epoch: number | null
}

interface Phone {
  id: string
  token: () => Promise<string>
  /** Its clock less the true one (ms). */
  skew: number
  /** The server that its network reaches. */
  server: Served
  offlineUntil: number
  epoch: number
  journal: Kept[]
  inside: Set<string>
}

interface Guest {
  /** One code, or a group's with the tickets that come together. */
  qrCode: string
  ticketIds: string[]
  group: boolean
}

interface Evening {
  random: Random
  phones: Phone[]
  coming: Guest[]
  findings: Set<string>
  again: number
  audience: string
}

const ADMIN = 'admin@garba.test'
const PER_ORDER = 100
const CLOCK_OFF_MS = 15 * 60_000
const GROUPS = 0.15
const GIVE_UP_MS = 180_000
const BATCH = '/api/tickets/mark-used/batch'
const MEMORY_GROWTH = 1.5
const HANDLES_GROWTH = 32

/**
 * A whole evening against servers in processes of their own: phones with wrong clocks scan single codes and groups, lose the
 * network for a while, and send what they kept, some of it twice; some codes are shown at two gates. The server is killed or restarted, restored
 * from a backup, and at last another machine takes over while the first still runs.
 */
export async function eveningStorm(storm: Storm): Promise<Stormed> {
  const { seed, tickets, kills, takeover, postgres, whenOver, progress = () => undefined } = storm
  const from = performance.now()
  const port = await freePort()
  const name = await nameLeadingTo(port, whenOver)
  const settings = { ADMIN_EMAILS: ADMIN, PUBLIC_URL: name.url, PAYMENTS: 'none' }
  let server = await served({ folder: newFolder(whenOver), port, postgres }, settings, whenOver)
  const admin = await signedIn(server.url, ADMIN)
  const evening: Evening = {
    ...{ random: dice(seed), phones: [], findings: new Set(), again: 0, audience: name.url },
    coming: await sellAll(server, admin, { tickets, doubles: storm.doubles, random: dice(seed + 1) }),
  }
  for (let n = 0; n < storm.phones; n += 1) evening.phones.push(await hire(evening, server, admin, n))

  const everybody = evening.coming.length
  let over = false
  const work = Promise.all(
    evening.phones.map((phone) => atGate(evening, phone, { isOver: () => over, paceMs: storm.paceMs })),
  )
  const waitForShare = async (share: number) => {
    const deadline = Date.now() + GIVE_UP_MS
    while (evening.coming.length > everybody * (1 - share) && Date.now() < deadline) await sleep(20)
    progress(everybody - evening.coming.length)
  }
  for (let kill = 1; kill <= kills; kill += 1) {
    await waitForShare((0.5 * kill) / (kills + 1))
    // Every second time as systemd does it.
    await (kill % 2 === 1 ? server.kill() : server.stop())
    await sleep(200)
    await server.start()
  }
  const closeDesk = openDesk(server)
  await waitForShare(0.5)
  const early = resourcesOf(server)
  const backup = join(newFolder(whenOver), 'backup.db')
  if (postgres === undefined) backUp({ database: join(server.folder, 'garba.db'), file: backup, now: new Date() })
  await waitForShare(0.6)
  const late = resourcesOf(server)
  if (late.memoryMB > early.memoryMB * MEMORY_GROWTH || late.handles > early.handles + HANDLES_GROWTH)
    evening.findings.add(`The server grew from ${JSON.stringify(early)} to ${JSON.stringify(late)}`)
  closeDesk()
  await server.kill()
  if (postgres === undefined)
    await restoreBackup({ database: join(server.folder, 'garba.db'), file: backup, now: new Date() })
  else await takeOverPostgres(postgres, new Date())
  await server.start()
  if (takeover && postgres === undefined) {
    await waitForShare(0.8)
    const next = join(newFolder(whenOver), 'takeover.db')
    backUp({ database: join(server.folder, 'garba.db'), file: next, now: new Date() })
    await waitForShare(0.9)
    const folder = newFolder(whenOver)
    await restoreBackup({ database: join(folder, 'garba.db'), file: next, now: new Date() })
    const old = server
    server = await served({ folder, port: await freePort() }, settings, whenOver)
    name.leadTo(server.port)
    // Half of the phones still find the old machine for a while.
    for (const phone of evening.phones) if (evening.random() < 0.5) phone.server = server
    await waitForShare(1)
    for (const phone of evening.phones) phone.server = server
    await old.kill()
  }
  await waitForShare(1)
  over = true
  await work
  for (const phone of evening.phones) await sendAll(evening, phone)
  // A phone that came first does not know what later ones have sent.
  for (const phone of evening.phones) await sendAll(evening, phone)
  progress(everybody)

  const findings = [...evening.findings, ...(await wrong(evening, server, admin)), ...(await accountantOf(server))]
  const kept = evening.phones.flatMap(({ journal }) => journal)
  const perTicket = Map.groupBy(kept, ({ ticketId }) => ticketId)
  return {
    findings,
    shown: kept.length,
    doubles: [...perTicket.values()].filter((people) => people.length > 1).length,
    offline: kept.filter(({ admittedOffline }) => admittedOffline).length,
    again: evening.again,
    seconds: (performance.now() - from) / 1_000,
  }
}

/** Keeps a live view open. The returned function closes it. */
function openDesk({ url }: Served): () => void {
  const end = new AbortController()
  const headers = { authorization: `Bearer ${tokenOf(ADMIN)}`, accept: 'text/event-stream' }
  fetch(`${url}/api/admin/gate/live`, { headers, signal: end.signal })
    .then((response) => response.text())
    .catch(() => undefined)
  return () => end.abort()
}

/** Everything is sold before the gates open. A group comes with one code. */
async function sellAll(
  server: Served,
  admin: Send,
  { tickets, doubles, random }: { tickets: number; doubles: number; random: Random },
): Promise<Guest[]> {
  const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await must(admin(server.url, '/api/event', eventForm({ date, totalTickets: tickets + PER_ORDER })))
  const coming: Guest[] = []
  for (let sold = 0; sold < tickets; sold += PER_ORDER) {
    const guest = await signedIn(server.url, `guest${sold}@garba.test`)
    const quantity = Math.min(PER_ORDER, tickets - sold)
    const answer = await must(guest(server.url, '/api/tickets', { quantity }, { 'Idempotency-Key': randomUUID() }))
    const groups = (await must(guest(server.url, '/api/tickets/group-codes'))).groups as {
      qrCode: string
      ticketIds: string[]
    }[]
    const together = groups.filter(() => random() < GROUPS)
    const grouped = new Set(together.flatMap(({ ticketIds }) => ticketIds))
    coming.push(...together.map((group) => ({ ...group, group: true })))
    for (const { _id, qrCode } of answer.tickets as Ticket[])
      if (qrCode !== null && !grouped.has(_id)) coming.push({ qrCode, ticketIds: [_id], group: false })
  }
  const shared = coming.filter(() => random() < doubles).map((guest) => ({ ...guest }))
  const places = new Map([...coming, ...shared].map((guest) => [guest, random()]))
  return [...coming, ...shared].toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
}

async function must(asked: Promise<Answer>): Promise<Record<string, unknown>> {
  const { status, body } = await asked
  if (body.success !== true) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`)
  return body
}

const TOKEN_MS = 200_000

async function hire({ random, audience }: Evening, server: Served, admin: Send, n: number): Promise<Phone> {
  const { device, pairing } = (await must(
    admin(server.url, '/api/admin/devices', { name: `Gate ${n}`, rights: RIGHTS }),
  )) as unknown as { device: { id: string }; pairing: { code: string } }
  const { privateKey, publicKey } = await phoneKeys()
  const body = JSON.stringify({ code: pairing.code, publicKey, label: 'Chrome on Android' })
  const headers = { 'content-type': 'application/json' }
  const paired = await fetch(`${server.url}/api/devices/pair`, { method: 'POST', body, headers })
  if (!paired.ok) throw new Error(`Not paired: ${await paired.text()}`)
  let token = { text: '', until: 0 }
  const world = { clock: { now: () => new Date() }, deps: { publicUrl: () => audience } }
  return {
    ...{
      id: device.id,
      server,
      offlineUntil: 0,
      epoch: 0,
      journal: [],
      inside: new Set<string>(),
    },
    skew: Math.round((random() * 2 - 1) * CLOCK_OFF_MS),
    token: async () => {
      if (token.until < Date.now())
        token = { text: await deviceToken(world, { id: device.id, privateKey }), until: Date.now() + TOKEN_MS }
      return token.text
    },
  }
}

/** Null where no answer came, or one of a server that has been replaced. */
async function call(phone: Phone, path: string, body?: unknown): Promise<Answer | null> {
  try {
    const response = await fetch(`${phone.server.url}${path}`, {
      headers: {
        authorization: `Bearer ${await phone.token()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    const answer = {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Answer['body'],
    }
    const number = parseEpoch(response.headers.get(EPOCH_HEADER)) ?? -1
    phone.epoch = Math.max(phone.epoch, number)
    if (number < phone.epoch || answer.status >= 500 || answer.status === 429) return null
    return answer
  } catch {
    return null
  }
}

interface Turns {
  isOver: () => boolean
  paceMs: number
}

async function atGate(evening: Evening, phone: Phone, { isOver, paceMs }: Turns): Promise<void> {
  const { random, coming } = evening
  while (!isOver()) {
    const guest = coming.shift()
    if (!guest) {
      await sleep(20)
      continue
    }
    const from = performance.now()
    if (random() < 0.02) phone.offlineUntil = Date.now() + random() * 3_000
    await letIn(evening, phone, guest)
    if (phone.offlineUntil < Date.now() && random() < 0.2) await sendSome(evening, phone)
    await sleep(Math.max(1, paceMs * (0.5 + random()) - (performance.now() - from)))
  }
}

async function letIn(evening: Evening, phone: Phone, guest: Guest): Promise<void> {
  const { findings } = evening
  const here = guest.ticketIds.filter((ticketId) => !phone.inside.has(ticketId))
  const rows = here.map(
    (ticketId): Kept => ({
      ...{
        scanId: randomUUID(),
        ticketId,
        qrCode: guest.qrCode,
        group: guest.group,
        admittedOffline: false,
        epoch: null,
      },
      scannedAt: new Date(Date.now() + phone.skew).toISOString(),
    }),
  )
  const isOnline = phone.offlineUntil < Date.now()
  // A phone whose list is behind decides by itself until it has sent everything again.
  const isBehind = phone.journal.some(({ epoch }) => epoch !== null && epoch < phone.epoch)
  for (const row of rows) {
    const answer = isOnline && !isBehind ? await call(phone, '/api/tickets/mark-used', bodyOf(phone, row)) : null
    if (answer !== null && answer.status !== 200) {
      const { code } = answer.body
      if (code === 'ALREADY_USED') phone.inside.add(row.ticketId)
      else if (code !== 'TICKET_NOT_FOUND') findings.add(`A scan was answered ${answer.status} ${code}`)
      continue
    }
    row.admittedOffline = answer === null
    row.epoch = answer === null ? null : (parseEpoch(answer.headers.get(EPOCH_HEADER)) ?? 0)
    phone.journal.push(row)
    phone.inside.add(row.ticketId)
  }
}

const bodyOf = ({ id, skew }: Phone, { scanId, ticketId, qrCode, group, scannedAt, admittedOffline, epoch }: Kept) => ({
  ...{ scanId, qrCode, scannedAt, clockOffset: -skew, deviceId: id, deviceName: 'Gate' },
  ...(group ? { ticketId } : {}),
  ...(admittedOffline || epoch !== null ? { admittedOffline: true } : {}),
})

const due = ({ journal, epoch }: Phone) => journal.filter((row) => row.epoch === null || row.epoch < epoch)

async function sendSome(evening: Evening, phone: Phone): Promise<void> {
  const rows = due(phone).slice(0, 200)
  if (rows.length === 0) return
  const scans = rows.map((row) => ({ ...bodyOf(phone, row), admittedOffline: true }))
  const sent = await call(phone, BATCH, { scans })
  const twice = evening.random() < 0.2
  const answer = twice ? await call(phone, BATCH, { scans }) : sent
  if (twice) evening.again += rows.length
  const number = answer === null ? null : parseEpoch(answer.headers.get(EPOCH_HEADER))
  for (const [index, result] of ((answer?.body.results ?? []) as BatchResult[]).entries()) {
    const row = rows[index]
    if (!row || result.status === 429 || result.status >= 500) continue
    if (result.success) row.epoch = number
    else evening.findings.add(`A row was answered ${result.status} ${result.code}`)
  }
}

async function sendAll(evening: Evening, phone: Phone): Promise<void> {
  phone.offlineUntil = 0
  const deadline = Date.now() + GIVE_UP_MS
  // The answer's epoch tells whether the server has been replaced.
  await call(phone, '/api/devices/me')
  while (due(phone).length > 0) {
    if (Date.now() > deadline) return void evening.findings.add(`A phone could not send ${due(phone).length} scans`)
    const before = due(phone).length
    await sendSome(evening, phone)
    if (due(phone).length === before) await sleep(500)
  }
}

/** Every person is on record, every double is known, and both gates have been told. */
async function wrong({ phones }: Evening, server: Served, admin: Send): Promise<string[]> {
  const findings: string[] = []
  const kept = phones.flatMap((phone) => phone.journal.map((row) => ({ phone, row })))
  const { scans, conflicts, tickets } = await reading(server, async (sql) => ({
    scans: new Map(
      (await sql("select id, ticket_id from scans where outcome <> 'refused' and undone_at is null")).map(
        ({ id, ticket_id }) => [String(id), String(ticket_id)],
      ),
    ),
    conflicts: Map.groupBy(await sql('select ticket_id from conflicts'), ({ ticket_id }) => String(ticket_id)),
    tickets: new Set((await sql('select id from tickets')).map(({ id }) => String(id))),
  }))
  for (const { row } of kept) if (!scans.has(row.scanId)) findings.push(`Lost scan: ${row.scanId} with ${row.ticketId}`)
  const known = new Set(kept.map(({ row }) => row.scanId))
  // A kill may come between the commit and the answer, and then the phone has let the person in under the same id.
  for (const id of scans.keys()) if (!known.has(id)) findings.push(`A scan that no phone made: ${id}`)
  const told = new Map<Phone, Set<string>>()
  for (const phone of phones) {
    const answer = await call(phone, `/api/scanner/roster?deviceId=${phone.id}`)
    const list = (answer?.body.conflicts ?? []) as { ticketId: string }[]
    told.set(phone, new Set(list.map(({ ticketId }) => ticketId)))
  }
  // Of a group whose code was read at two gates, the server may have taken another ticket than the phone.
  for (const [ticketId, people] of Map.groupBy(kept, ({ row }) => scans.get(row.scanId) ?? row.ticketId)) {
    const expected = people.length - (tickets.has(ticketId) ? 1 : 0)
    const said = conflicts.get(ticketId)?.length ?? 0
    if (said !== expected) findings.push(`Silent double: ${people.length} people with ${ticketId}, ${said} recorded`)
    if (people.length > 1)
      for (const { phone } of people)
        if (!told.get(phone)?.has(ticketId))
          findings.push(`A gate was not told of the double admission with ${ticketId}`)
  }
  const { people } = (await must(admin(server.url, '/api/admin/gate'))).data as GateView
  if (people !== kept.length) findings.push(`Evening says ${people} people, the witness ${kept.length}`)
  return findings
}
