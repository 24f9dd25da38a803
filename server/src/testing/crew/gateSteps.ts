import { randomUUID } from 'node:crypto'
import type { AnsweredConflict, BatchResult } from '@garba/shared/contracts/phones/scan'
import {
  type Actor,
  attempt,
  type Evening,
  type Known,
  newPhone,
  nowOf,
  oneOf,
  type Scanned,
  somebody,
  upTo,
} from './crew.ts'

/** Most people come with a ticket that was sold lately; some codes come again. */
function comer(evening: Evening): Known | undefined {
  const { tickets, random } = evening
  return random() < 0.6 ? oneOf(evening, tickets.slice(-30)) : oneOf(evening, tickets)
}

const placeOf = ({ phone, name }: Actor) => (phone ? {} : { deviceId: `of-${name}`, deviceName: name })

function newScan(evening: Evening, by: Actor, ticket: Known, byHand: boolean): Scanned {
  const at = nowOf(evening)
  const what = byHand ? { ticketId: ticket.id, manual: true } : { qrCode: ticket.code }
  const scanId = randomUUID()
  const body = { ...what, scanId, scannedAt: new Date(at).toISOString(), ...placeOf(by) }
  return { scanId, ticketId: ticket.id, by, at, body, undone: false }
}

/** What the witness makes of a scan's answer. */
function heard(
  evening: Evening,
  scan: Scanned,
  { outcome, conflict, ticket }: { outcome?: unknown; conflict?: unknown; ticket?: unknown },
  swapped = false,
): void {
  if (outcome !== 'admitted' && outcome !== 'conflict') return
  const { scanId } = scan
  // One chosen by name may have had a new code since, and with it a new id.
  const ticketId = (ticket as { id: string } | undefined)?.id ?? scan.ticketId
  const first = swapped || (conflict as AnsweredConflict | undefined)?.first.scanId === scanId
  evening.witness.admitted({ ticketId, scanId, outcome, swapped, first })
  if (!evening.scans.some(({ scanId }) => scanId === scan.scanId)) evening.scans.push(scan)
}

/** Somebody shows a code, or is looked up by name. */
export async function scanOne(evening: Evening): Promise<void> {
  const ticket = comer(evening)
  if (!ticket) return
  const byHand = evening.random() < 0.25
  const power = byHand ? 'find' : 'scan'
  const actor = somebody(evening, power)
  const scan = newScan(evening, actor, ticket, byHand)
  const what = byHand ? 'an admission by hand' : 'a scan'
  const call = { what, actor, may: actor.powers.has(power), method: 'POST', path: '/api/tickets/mark-used' }
  const { body } = await attempt(evening, { ...call, body: scan.body })
  heard(evening, scan, body)
  // The answer was lost, and the phone asks again.
  if (evening.random() < 0.1) {
    const again = await attempt(evening, { ...call, body: scan.body })
    if (again.status < 300 !== (body.success === true))
      evening.findings.add(`${what} repeated by ${actor.name} was answered ${again.status}, not as at first`)
  }
}

/** A queue of a phone that was offline: admissions, some of them taken back before they were sent. */
export async function sendBatch(evening: Evening): Promise<void> {
  const { actors, random } = evening
  const actor =
    oneOf(evening, random() < 0.2 ? actors.filter(({ endedAt }) => endedAt !== undefined) : []) ??
    somebody(evening, 'scan')
  const rows = Array.from({ length: upTo(evening, 3) }, () => comer(evening)).filter((ticket) => ticket !== undefined)
  if (rows.length === 0) return
  const scans = rows.map((ticket) => {
    const scan = newScan(evening, actor, ticket, random() < 0.2)
    const at = nowOf(evening) - Math.floor(random() * 600_000)
    const undone = random() < 0.2 ? { undoneAt: new Date(at + 20_000).toISOString() } : {}
    return { ...scan, body: { ...scan.body, scannedAt: new Date(at).toISOString(), admittedOffline: true, ...undone } }
  })
  const may = [...actor.powers].some((power) => power !== 'buy' && power !== 'desk')
  const { body } = await attempt(evening, {
    ...{ what: 'a batch', actor, may: actor.endedAt === undefined ? may : null },
    ...{ method: 'POST', path: '/api/tickets/mark-used/batch', body: { scans: scans.map((scan) => scan.body) } },
  })
  for (const [index, result] of ((body.results ?? []) as BatchResult[]).entries()) {
    const scan = scans[index]
    if (scan) judgeRow(evening, actor, scan, result)
  }
}

/** A phone's row counts by the rights it had; only those with `undo` take anything back. */
function judgeRow(evening: Evening, actor: Actor, scan: Scanned, result: BatchResult): void {
  const { findings, witness } = evening
  const { manual, undoneAt } = scan.body as { manual?: boolean; undoneAt?: string }
  if (!result.success) return
  if (!actor.powers.has(manual ? 'find' : 'scan') && result.outcome !== undefined && String(result.outcome) !== 'noted')
    findings.add(`a row ${manual ? 'by hand' : 'with a code'} from ${actor.name} was answered ${result.outcome}`)
  if (undoneAt === undefined) heard(evening, scan, result)
  else witness.undone(scan.scanId)
}

/** Somebody takes an admission back: their own of a moment ago, or one that is not theirs to take back. */
export async function takeBack(evening: Evening): Promise<void> {
  const { random, scans, witness, findings } = evening
  const scan = random() < 0.7 ? oneOf(evening, scans.slice(-2)) : oneOf(evening, scans)
  if (!scan) return
  const actor = random() < 0.6 && scan.by.endedAt === undefined ? scan.by : somebody(evening, 'undo')
  const late = nowOf(evening) - scan.at > 60_000
  const inBatch = random() < 0.3
  const own = actor === scan.by
  const may = actor.powers.has('undo')
  const reply = inBatch
    ? await attempt(evening, {
        ...{ what: 'an undo by batch', actor, may: null, method: 'POST', path: '/api/tickets/mark-used/batch' },
        body: { scans: [{ ...scan.body, admittedOffline: true, undoneAt: new Date(scan.at + 20_000).toISOString() }] },
      })
    : await attempt(evening, {
        ...{ what: 'an undo', actor, may: may ? null : false, method: 'POST', path: '/api/tickets/mark-used/undo' },
        body: { scanId: scan.scanId },
      })
  const [row] = (reply.body.results ?? []) as BatchResult[]
  const done = inBatch ? row?.success === true : reply.status < 300
  if (!done) return
  if (!scan.undone && (!own || !may || late))
    findings.add(`${actor.name} took back ${own ? 'an own' : "another's"} admission${late ? ' after its time' : ''}`)
  scan.undone = true
  witness.undone(scan.scanId)
}

/** A scan that was answered long ago is sent once more. */
export async function repeatOld(evening: Evening): Promise<void> {
  const scan = oneOf(evening, evening.scans)
  if (!scan || scan.by.endedAt !== undefined) return
  const { body } = await attempt(evening, {
    ...{ what: 'a repeated scan', actor: scan.by, may: null, method: 'POST', path: '/api/tickets/mark-used' },
    body: { ...scan.body, admittedOffline: evening.random() < 0.5 },
  })
  heard(evening, scan, body)
}

/** The holder stands before the gate, and somebody else is inside with a copy of the code. */
export async function swap(evening: Evening): Promise<void> {
  const inside = oneOf(evening, evening.scans)
  const ticket = inside && evening.tickets.find(({ id }) => id === inside.ticketId)
  if (!ticket) return
  const actor = somebody(evening, 'supervise')
  const scan = newScan(evening, actor, ticket, false)
  const { body } = await attempt(evening, {
    ...{
      what: 'a swap',
      actor,
      may: actor.powers.has('supervise'),
      method: 'POST',
      path: '/api/tickets/mark-used/swap',
    },
    body: scan.body,
  })
  heard(evening, scan, body, true)
}

/** The desk ends a phone, and hands out another with the same rights. */
export async function replacePhone(evening: Evening): Promise<void> {
  const { world, actors } = evening
  const old = oneOf(
    evening,
    actors.filter(({ phone, endedAt }) => phone && endedAt === undefined),
  )
  if (!old?.phone) return
  const actor = somebody(evening, 'desk')
  const { status } = await attempt(evening, {
    ...{ what: 'the end of a phone', actor, may: actor.powers.has('desk'), method: 'PATCH' },
    ...{ path: `/api/admin/devices/${old.phone.id}`, body: { revoked: true } },
  })
  if (status >= 300) return
  old.endedAt = nowOf(evening)
  const rights = [...old.powers].filter((power) => power !== 'desk' && power !== 'buy')
  evening.actors = [...actors.filter(({ endedAt }) => endedAt === undefined || nowOf(evening) - endedAt < 3_600_000)]
  evening.actors.push(await newPhone(world, rights))
}
