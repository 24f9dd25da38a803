import { RIGHTS, type Right } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import type { Random } from '../dice.ts'
import { type Phone, pairedPhone } from '../phone.ts'
import { person } from '../scenes.ts'
import type { Client, Reply, World } from '../world.ts'
import type { Witness } from './witness.ts'

/** What somebody may do; a right of a phone has the same name for people. */
export type Power = Right | 'desk' | 'buy'

/** Somebody who calls the server. */
export interface Actor {
  name: string
  powers: ReadonlySet<Power>
  client: () => Promise<Client>
  /** Phones alone: what they are, and when the desk ended them. */
  phone?: Phone
  endedAt?: number
}

/** A ticket as its buyer or seller got it. */
export interface Known {
  id: string
  code: string
  owner: string
}

export interface Scanned {
  scanId: string
  ticketId: string
  by: Actor
  at: number
  body: Record<string, unknown>
  undone: boolean
}

export interface Evening {
  world: World
  random: Random
  witness: Witness
  actors: Actor[]
  tickets: Known[]
  orders: { code: string; owner: string; provider: string; total: number }[]
  scans: Scanned[]
  papers: { id: string; size: number }[]
  /** Sales that phones have not reported. */
  late: { actor: Actor; sale: Record<string, unknown> }[]
  findings: Set<string>
  accepted: Map<string, number>
  refused: Map<string, number>
}

const CHECKER: readonly Power[] = ['scan', 'find', 'undo']
const GUESTS = 40

/** Two admins, a manager, two checkers, guests, and a phone with each single right and with all of them. */
export async function hireCrew(world: World): Promise<Actor[]> {
  const people = (
    role: 'admin' | 'manager' | 'qrchecker' | 'guest',
    name: string,
    powers: readonly Power[],
  ): Actor => ({
    name,
    powers: new Set(powers),
    client: () => world.as(role, person(name)),
  })
  const phones: Actor[] = []
  for (const rights of [...RIGHTS.map((right) => [right]), [...RIGHTS]]) phones.push(await newPhone(world, rights))
  return [
    people('admin', 'Asha', [...RIGHTS, 'desk']),
    people('admin', 'Amit', [...RIGHTS, 'desk']),
    people('manager', 'Manav', []),
    people('qrchecker', 'Chetan', CHECKER),
    people('qrchecker', 'Chhaya', CHECKER),
    ...Array.from({ length: GUESTS }, (_, n) => people('guest', `Guest${n}`, ['buy'])),
    ...phones,
  ]
}

export async function newPhone(world: World, rights: readonly Right[]): Promise<Actor> {
  const what = rights.length === 1 ? rights[0] : 'all rights'
  const phone = await pairedPhone(world, { name: `Phone with ${what}`, rights })
  return { name: `a phone with ${what}`, powers: new Set<Power>(rights), client: phone.client, phone }
}

export const oneOf = <T>({ random }: Pick<Evening, 'random'>, all: readonly T[]): T | undefined =>
  all[Math.floor(random() * all.length)]
export const upTo = ({ random }: Pick<Evening, 'random'>, most: number): number => 1 + Math.floor(random() * most)
export const nowOf = ({ world }: Pick<Evening, 'world'>): number => world.clock.now().getTime()

/** Anybody, but more often somebody who may. */
export function somebody(evening: Evening, power: Power): Actor {
  const present = evening.actors.filter(({ endedAt }) => endedAt === undefined)
  const able = present.filter(({ powers }) => powers.has(power))
  const actor = oneOf(evening, evening.random() < 0.75 ? able : present)
  if (!actor) throw new RangeError(`Nobody may ${power}`)
  return actor
}

interface Call {
  what: string
  actor: Actor
  /** Whether the actor may; null where it depends on more than the right. */
  may: boolean | null
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

const NOT_ALLOWED = new Set([401, 403])
/** Refusals because the thing is another person's, although the caller has the right. */
const ANOTHERS = new Set(['UNDO_NOT_YOURS', 'FORBIDDEN', 'SWAP_NOT_POSSIBLE'])

/** Makes a call. It is a finding if the server fails, allows a caller without the right, or refuses one with it. */
export async function attempt(
  evening: Evening,
  { what, actor, may, method, path, body, headers }: Call,
): Promise<Reply> {
  const reply = await (await actor.client()).request(method, path, body, headers)
  const { status } = reply
  const accepted = status < 300
  const tally = accepted ? evening.accepted : evening.refused
  tally.set(what, (tally.get(what) ?? 0) + 1)
  if (status >= 500 && status !== 503)
    evening.findings.add(`${what} by ${actor.name} was answered ${status}: ${JSON.stringify(reply.body).slice(0, 300)}`)
  if (may === false && accepted) evening.findings.add(`${what} by ${actor.name} was accepted`)
  if (may === true && NOT_ALLOWED.has(status) && !ANOTHERS.has(String(reply.body.code)))
    evening.findings.add(`${what} by ${actor.name} was refused: ${JSON.stringify(reply.body).slice(0, 300)}`)
  return reply
}

/** Tickets as an answer shows them, for those who come to the gate with them. */
export function keepTickets({ tickets }: Evening, shown: readonly Ticket[], owner: string): void {
  for (const { _id, qrCode } of shown)
    if (qrCode !== null && !tickets.some(({ id }) => id === _id)) tickets.push({ id: _id, code: qrCode, owner })
}
