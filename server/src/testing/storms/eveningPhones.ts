import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { EPOCH_HEADER } from '@garba/shared/constants'
import { RIGHTS } from '@garba/shared/contracts/names'
import type { BatchResult } from '@garba/shared/contracts/phones/scan'
import { parseEpoch } from '@garba/shared/rules/phones/versions'
import { type Answer, mustSend, type Send } from '../caller.ts'
import type { Random } from '../dice.ts'
import { deviceToken, phoneKeys } from '../phone.ts'
import type { Served } from './served.ts'

/** Somebody who was let in or out, or people who were counted, as their phone keeps it. */
export interface Kept {
  scanId: string
  movement: 'entry' | 'exit' | 'count'
  gate: string
  ticketId: string
  qrCode: string
  group: boolean
  change: number
  scannedAt: string
  /** The true time (ms). */
  at: number
  admittedOffline: boolean
  /** The epoch of the latest server that has answered; null before any. */
  epoch: number | null
}

export interface Phone {
  id: string
  gate: string
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

export interface Guest {
  /** One code, or a group's with the tickets that come together. */
  qrCode: string
  ticketIds: string[]
  group: boolean
}

interface Person {
  guest: Guest
  ticketId: string
}

export interface Evening {
  random: Random
  phones: Phone[]
  coming: Guest[]
  inside: Person[]
  outside: Person[]
  findings: Set<string>
  again: number
  audience: string
}

const GATES = ['North', 'East', 'South', 'West']
const CLOCK_OFF_MS = 15 * 60_000
export const GIVE_UP_MS = 180_000
const BATCH = '/api/tickets/mark-used/batch'
const TOKEN_MS = 200_000

export async function hirePhone({ random, audience }: Evening, server: Served, admin: Send, n: number): Promise<Phone> {
  const { device, pairing } = (await mustSend(
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
    ...{ id: device.id, gate: GATES[n % GATES.length] ?? '', server },
    ...{ offlineUntil: 0, epoch: 0, journal: [], inside: new Set<string>() },
    skew: Math.round((random() * 2 - 1) * CLOCK_OFF_MS),
    token: async () => {
      if (token.until < Date.now())
        token = { text: await deviceToken(world, { id: device.id, privateKey }), until: Date.now() + TOKEN_MS }
      return token.text
    },
  }
}

/** Null where no answer came, or one of a server that has been replaced. */
export async function callServer(phone: Phone, path: string, body?: unknown): Promise<Answer | null> {
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

/** Guests come in one after another; now and then somebody leaves, comes back, or is counted without a code. */
export async function standAtGate(evening: Evening, phone: Phone, { isOver, paceMs }: Turns): Promise<void> {
  const { random, coming } = evening
  while (!isOver()) {
    const guest = coming.shift()
    if (!guest) {
      await sleep(20)
      continue
    }
    const from = performance.now()
    if (random() < 0.02) phone.offlineUntil = Date.now() + random() * 3_000
    for (const ticketId of guest.ticketIds)
      if (!phone.inside.has(ticketId)) await letIn(evening, phone, { guest, ticketId })
    if (random() < 0.3) await letOut(evening, phone)
    if (random() < 0.2) await letBackIn(evening, phone)
    if (random() < 0.05) countPeople(phone, random() < 0.7 ? 1 : -1)
    if (isOnline(phone) && random() < 0.2) await sendSome(evening, phone)
    await sleep(Math.max(1, paceMs * (0.5 + random()) - (performance.now() - from)))
  }
}

const isOnline = ({ offlineUntil }: Phone) => offlineUntil < Date.now()

const newRow = (
  { skew, gate }: Phone,
  given: Pick<Kept, 'movement'> & Partial<Pick<Kept, 'ticketId' | 'qrCode' | 'group' | 'change'>>,
): Kept => {
  const at = Date.now()
  const rest = { gate, at, scannedAt: new Date(at + skew).toISOString(), admittedOffline: false, epoch: null }
  return { scanId: randomUUID(), ticketId: '', qrCode: '', group: false, change: 0, ...rest, ...given }
}

const isDue = ({ epoch }: Phone, row: Kept) => row.epoch === null || row.epoch < epoch

/** Null where the phone decides: without a network, or as long as a restored server lacks what it has sent before. */
async function askToPass(phone: Phone, path: string, row: Kept): Promise<Answer | null> {
  const isBehind = phone.journal.some((one) => one.epoch !== null && isDue(phone, one))
  return isOnline(phone) && !isBehind ? await callServer(phone, path, buildAskedBody(phone, row)) : null
}

function keepRow({ journal }: Phone, row: Kept, answer: Answer | null): void {
  const epoch = answer === null ? null : (parseEpoch(answer.headers.get(EPOCH_HEADER)) ?? 0)
  journal.push({ ...row, admittedOffline: answer === null, epoch })
}

async function letIn(evening: Evening, phone: Phone, person: Person): Promise<boolean> {
  const { guest, ticketId } = person
  const row = newRow(phone, { movement: 'entry', ticketId, qrCode: guest.qrCode, group: guest.group })
  const answer = await askToPass(phone, '/api/tickets/mark-used', row)
  if (answer !== null && answer.status !== 200) {
    const { code } = answer.body
    if (code === 'ALREADY_USED') phone.inside.add(ticketId)
    else if (code !== 'TICKET_NOT_FOUND') evening.findings.add(`A scan was answered ${answer.status} ${code}`)
    return false
  }
  keepRow(phone, row, answer)
  phone.inside.add(ticketId)
  evening.inside.push(person)
  return true
}

/**
 * Somebody leaves; of a group, with the first ticket that it can be. Whom the server does not know to be inside waits, or
 * is counted as one less.
 */
async function letOut(evening: Evening, phone: Phone): Promise<void> {
  const { inside, outside, random, findings } = evening
  const [person] = inside.splice(Math.floor(random() * inside.length), 1)
  if (!person) return
  const { guest } = person
  for (const ticketId of new Set([person.ticketId, ...guest.ticketIds])) {
    const row = newRow(phone, { movement: 'exit', ticketId, qrCode: guest.qrCode, group: guest.group })
    const answer = await askToPass(phone, '/api/tickets/exit', row)
    if (answer === null || answer.status === 200) {
      keepRow(phone, row, answer)
      phone.inside.delete(ticketId)
      return void outside.push({ guest, ticketId })
    }
    if (answer.body.code !== 'NOT_INSIDE') findings.add(`An exit was answered ${answer.status} ${answer.body.code}`)
  }
  if (random() < 0.5) return void inside.push(person)
  countPeople(phone, -1)
  outside.push(person)
}

async function letBackIn(evening: Evening, phone: Phone): Promise<void> {
  const { outside, random } = evening
  const [person] = outside.splice(Math.floor(random() * outside.length), 1)
  if (!person) return
  const isRefused = !isOnline(phone) && phone.inside.has(person.ticketId)
  if (isRefused || !(await letIn(evening, phone, person))) outside.push(person)
}

const countPeople = (phone: Phone, change: number) => keepRow(phone, newRow(phone, { movement: 'count', change }), null)

const buildAskedBody = ({ id, skew }: Phone, { scanId, gate, ticketId, qrCode, group, scannedAt }: Kept) => ({
  ...{ scanId, qrCode, gate, scannedAt, clockOffset: -skew, deviceId: id, deviceName: 'Gate' },
  ...(group ? { ticketId } : {}),
})

function buildQueuedBody(phone: Phone, row: Kept) {
  const { qrCode, ticketId, ...place } = { ticketId: undefined, ...buildAskedBody(phone, row) }
  const { movement, change } = row
  if (movement === 'count') return { ...place, movement, change, group: 'children' }
  return { ...buildAskedBody(phone, row), movement, admittedOffline: true }
}

const listDue = (phone: Phone) => phone.journal.filter((row) => isDue(phone, row))

async function sendSome(evening: Evening, phone: Phone): Promise<void> {
  const rows = listDue(phone).slice(0, 200)
  if (rows.length === 0) return
  const scans = rows.map((row) => buildQueuedBody(phone, row))
  const sent = await callServer(phone, BATCH, { scans })
  const twice = evening.random() < 0.2
  const answer = twice ? await callServer(phone, BATCH, { scans }) : sent
  if (twice) evening.again += rows.length
  const number = answer === null ? null : parseEpoch(answer.headers.get(EPOCH_HEADER))
  for (const [index, result] of ((answer?.body.results ?? []) as BatchResult[]).entries()) {
    const row = rows[index]
    if (!row || result.status === 429 || result.status >= 500) continue
    if (result.success) row.epoch = number
    else evening.findings.add(`A row was answered ${result.status} ${result.code}`)
  }
}

export async function sendAll(evening: Evening, phone: Phone): Promise<void> {
  phone.offlineUntil = 0
  const deadline = Date.now() + GIVE_UP_MS
  // The answer's epoch tells whether the server has been replaced.
  await callServer(phone, '/api/devices/me')
  for (let due = listDue(phone); due.length > 0; due = listDue(phone)) {
    if (Date.now() > deadline) return void evening.findings.add(`A phone could not send ${due.length} scans`)
    await sendSome(evening, phone)
    if (listDue(phone).length === due.length) await sleep(500)
  }
}
