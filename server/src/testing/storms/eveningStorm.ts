import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { restoreBackup, takeOverPostgres } from '../../flows/recovery/epoch.ts'
import { backUp } from '../../store/engine/backup.ts'
import { mustSend, type Send, signedIn, tokenOf } from '../caller.ts'
import { dice, type Random } from '../dice.ts'
import { freePort } from '../postgres.ts'
import { eventForm } from '../scenes.ts'
import { type Evening, GIVE_UP_MS, type Guest, hirePhone, sendAll, standAtGate } from './eveningPhones.ts'
import { type EveningTally, tallyEvening } from './eveningTally.ts'
import { accountantOf, nameLeadingTo, newFolder, resourcesOf, type Served, served, type WhenOver } from './served.ts'

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

interface Stormed extends EveningTally {
  /** Rows that were sent more than once. */
  again: number
  seconds: number
}

const ADMIN = 'admin@garba.test'
const PER_ORDER = 100
const GROUPS = 0.15
const MEMORY_GROWTH = 1.5
const HANDLES_GROWTH = 32

/**
 * A whole evening against servers in processes of their own: phones with wrong clocks scan single codes and groups in, out
 * and back in, count people without a code, lose the network for a while, and send what they kept, some of it twice; some
 * codes are shown at two gates. The server is killed or restarted, restored from a backup, and at last another machine
 * takes over while the first still runs.
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
    inside: [],
    outside: [],
    coming: await sellAll(server, admin, { tickets, doubles: storm.doubles, random: dice(seed + 1) }),
  }
  for (let n = 0; n < storm.phones; n += 1) evening.phones.push(await hirePhone(evening, server, admin, n))

  const everybody = evening.coming.length
  let over = false
  const work = Promise.all(
    evening.phones.map((phone) => standAtGate(evening, phone, { isOver: () => over, paceMs: storm.paceMs })),
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

  const { findings, ...figures } = await tallyEvening(evening, server, admin)
  return {
    findings: [...evening.findings, ...findings, ...(await accountantOf(server))],
    ...figures,
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
  await mustSend(
    admin(server.url, '/api/event', eventForm({ date, totalTickets: tickets + PER_ORDER, reentry: 'open' })),
  )
  const coming: Guest[] = []
  for (let sold = 0; sold < tickets; sold += PER_ORDER) {
    const guest = await signedIn(server.url, `guest${sold}@garba.test`)
    const quantity = Math.min(PER_ORDER, tickets - sold)
    const answer = await mustSend(guest(server.url, '/api/tickets', { quantity }, { 'Idempotency-Key': randomUUID() }))
    const groups = (await mustSend(guest(server.url, '/api/tickets/group-codes'))).groups as {
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
