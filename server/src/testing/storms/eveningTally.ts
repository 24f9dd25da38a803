import type { EveningFigures as GateView } from '@garba/shared/contracts/desk'
import type { EveningRegister } from '@garba/shared/contracts/register'
import { reviewForecasts } from '@garba/shared/rules/event/forecast'
import { mustSend, type Send } from '../caller.ts'
import { GateTally, judgePassages } from '../passages.ts'
import { callServer, type Evening, type Kept, type Phone } from './eveningPhones.ts'
import { reading, type Served } from './served.ts'

interface Witnessed {
  phone: Phone
  row: Kept
}

export interface EveningTally {
  findings: string[]
  shown: number
  doubles: number
  left: number
  cameBack: number
  /** Entries, exits and counts that a phone recorded without the server. */
  offline: number
  /** How often the forecast was replayed, and by how many minutes it was wrong on average. */
  forecasts: number
  minutesOff: number
}

/**
 * Everybody who passed a gate is on record, every double is known, and both gates have been told. The witness knows
 * what the phones showed and when; only with which ticket of a group somebody counts is the server's to say.
 */
export async function tallyEvening({ phones }: Evening, server: Served, admin: Send): Promise<EveningTally> {
  const kept = phones.flatMap((phone) => phone.journal.map((row) => ({ phone, row })))
  const tables = await readTables(server)
  const perTicket = Map.groupBy(
    kept.filter(({ row }) => row.movement !== 'count'),
    ({ row }) => tables.rows.get(row.scanId)?.ticketId ?? row.ticketId,
  )
  const kinds = new Map([...perTicket.values()].flatMap((own) => [...judgePassages(own.map(toPassage))]))
  const findings = [...findLost(kept, tables.rows), ...(await findSilent({ phones, perTicket, kinds, tables }))]

  const tally = new GateTally()
  for (const { row } of kept)
    if (row.movement === 'count') tally.add(row.gate, 'counted', row.change)
    else tally.add(row.gate, row.movement === 'exit' ? 'out' : 'in')
  const read = async (path: string) => (await mustSend(admin(server.url, path))).data
  const view = (await read('/api/admin/gate')) as GateView
  const register = (await read('/api/admin/gate/register')) as EveningRegister
  const count = (...wanted: string[]) => [...kinds.values()].filter((kind) => wanted.includes(kind)).length
  const sum = (what: 'returned' | 'doubles') => register.rows.reduce((all, row) => all + row[what], 0)
  const said = {
    ...tally.compare(view, register),
    people: [view.people, count('first', 'double')] as const,
    'people who came back': [sum('returned'), count('return')] as const,
    'doubles of the register': [sum('doubles'), count('double')] as const,
  }
  for (const [what, [shown, witnessed]] of Object.entries(said))
    if (shown !== witnessed) findings.push(`${what}: ${shown}, the witness saw ${witnessed}`)
  const offs = replayForecasts(kept, tables.tickets.size)
  return {
    findings,
    shown: kept.filter(({ row }) => row.movement === 'entry').length,
    ...{ doubles: count('double'), left: count('exit'), cameBack: count('return') },
    offline: kept.filter(({ row }) => row.admittedOffline).length,
    forecasts: offs.length,
    minutesOff: offs.reduce((sum, off) => sum + Math.abs(off), 0) / Math.max(1, offs.length),
  }
}

/** The storm's evening is replayed as if each second had been a minute. */
const SECONDS = 60

function replayForecasts(kept: readonly Witnessed[], sold: number): number[] {
  const cameIn = new Map<string, number>()
  for (const { row } of kept.toSorted((a, b) => a.row.at - b.row.at))
    if (row.movement === 'entry') cameIn.set(row.ticketId, cameIn.get(row.ticketId) ?? row.at * SECONDS)
  const perMinute = [...cameIn.values()].map((at) => ({ minute: new Date(at).toISOString(), count: 1 }))
  const sales = [{ minute: new Date(0).toISOString(), count: sold }]
  return reviewForecasts({ perMinute, sales, absentShare: 0 }).map(({ off }) => off)
}

const toPassage = ({ row: { scanId: id, at, movement } }: Witnessed) => ({ id, at, isExit: movement === 'exit' })

type Tables = Awaited<ReturnType<typeof readTables>>

const readTables = (server: Served) =>
  reading(server, async (sql) => {
    const rows = await sql(`
      select id, ticket_id, 'entry' as movement, outcome from scans where outcome <> 'refused' and undone_at is null
      union all select id, ticket_id, kind, '' from movements where undone_at is null`)
    return {
      rows: new Map(
        rows.map(({ id, ticket_id, movement, outcome }) => [
          String(id),
          { ticketId: String(ticket_id ?? ''), movement: String(movement), outcome: String(outcome) },
        ]),
      ),
      tickets: new Set((await sql('select id from tickets')).map(({ id }) => String(id))),
    }
  })

function findLost(kept: readonly Witnessed[], rows: Tables['rows']): string[] {
  const known = new Set(kept.map(({ row }) => row.scanId))
  return [
    ...kept
      .filter(({ row }) => rows.get(row.scanId)?.movement !== row.movement)
      .map(({ row }) => `Lost ${row.movement}: ${row.scanId} with ${row.ticketId}`),
    // A kill may come between the commit and the answer, and then the phone has let the person in under the same id.
    ...[...rows]
      .filter(([id]) => !known.has(id))
      .map(([id, { movement }]) => `A ${movement} that no phone made: ${id}`),
  ]
}

interface Judged {
  phones: readonly Phone[]
  perTicket: ReadonlyMap<string, readonly Witnessed[]>
  kinds: ReturnType<typeof judgePassages>
  tables: Tables
}

async function findSilent({ phones, perTicket, kinds, tables }: Judged): Promise<string[]> {
  const findings: string[] = []
  const told = new Map<Phone, Set<string>>()
  for (const phone of phones) {
    const answer = await callServer(phone, `/api/scanner/roster?deviceId=${phone.id}`)
    const list = (answer?.body.conflicts ?? []) as { ticketId: string }[]
    told.set(phone, new Set(list.map(({ ticketId }) => ticketId)))
  }
  for (const [ticketId, own] of perTicket) {
    const expected = own.filter(({ row }) => kinds.get(row.scanId) === 'double').length
    const entries = own.map((one) => ({ ...one, outcome: tables.rows.get(one.row.scanId)?.outcome ?? '' }))
    const said = entries.filter(({ outcome }) => outcome === 'conflict').length
    // Without its ticket, the first of them is a double admission too.
    if (said !== expected + (tables.tickets.has(ticketId) ? 0 : 1))
      findings.push(`Silent double: ${expected} more people with ${ticketId}, ${said} recorded`)
    for (const { phone, outcome } of entries)
      if (said > 0 && (outcome === 'conflict' || outcome === 'admitted') && !told.get(phone)?.has(ticketId))
        findings.push(`A gate was not told of the double admission with ${ticketId}`)
  }
  return findings
}
