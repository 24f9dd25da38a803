import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, unzipSync } from 'node:zlib'
import { RIGHTS, type Right, type Role } from '@garba/shared/contracts/names'
import type { DevicePublicKey } from '@garba/shared/contracts/phones/device'
import { generateKeyPair } from 'jose'
import { keepRights, rightsAt, updatePairedDevice } from '../../store/devices.ts'
import { findUserByUid, updateUser } from '../../store/users.ts'
import { deviceToken, type Phone, pairedPhone } from '../phone.ts'
import { payloadOf, sign, unsigned } from '../tokens.ts'
import type { Client, Person, World } from '../world.ts'
import type { Known } from './known.ts'
import type { Actor, Plan } from './plan.ts'

/** Longer than any response may take, even on a slow machine. */
const PATIENCE_MS = 10_000

/** A request as it was sent. */
export interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
}
export interface Answer {
  status: number
  headers: Headers
  text: string
  /** Undefined if the response is not JSON. */
  json: unknown
  ms: number
}

export interface Exchange {
  sent: Sent
  answer: Answer | 'hangs'
}

/** Fills in a plan and sends it. Null if the plan is not a request that can be sent. */
export async function send(world: World, known: Known, plan: Plan): Promise<Exchange | null> {
  const sent = await requestOf(world, known, plan)
  const request = build(sent)
  if (!request) return null
  const from = performance.now()
  const timer = new AbortController()
  const late = sleep(PATIENCE_MS, 'hangs' as const, { signal: timer.signal }).catch(() => 'hangs' as const)
  const answer = await Promise.race([ask(world, request), late])
  timer.abort()
  if (answer === 'hangs') return { sent, answer }
  const ms = performance.now() - from
  if (answer.status < 300) remember(known, sent, plan)
  known.learn(answer.json)
  return { sent, answer: ms > PATIENCE_MS ? 'hangs' : { ...answer, ms } }
}

/** Keeps accepted values, so that later requests can use them again. */
function remember(known: Known, { headers, body }: Sent, plan: Plan): void {
  if (body !== null && plan.body && 'json' in plan.body) known.learn(JSON.parse(body))
  const key = headers['Idempotency-Key']
  if (key !== undefined) known.keep('saleKey', key)
}

async function requestOf(world: World, known: Known, plan: Plan): Promise<Sent> {
  const now = world.clock.now()
  const fill = (value: unknown) => known.filled(value, now)
  const path = plan.template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(textOf(fill(plan.path[name]))))
  const query = new URLSearchParams(plan.query.map(([name, value]) => [name.toWellFormed(), textOf(fill(value))]))
  const token = await tokenOf(world, plan.actor)
  // Tokens of phones and impostors, a new one for each request, would crowd out those that sign somebody in.
  if (token !== null && 'role' in plan.actor) known.keep('idToken', token)
  const headers = Object.entries(plan.headers).map(([name, value]) => [name, textOf(fill(value))])
  return {
    method: plan.method,
    path: plan.query.length > 0 ? `${path}?${query}` : path,
    headers: {
      ...(plan.body ? { 'Content-Type': 'application/json' } : {}),
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...Object.fromEntries(headers),
    },
    body: plan.body && ('text' in plan.body ? plan.body.text : JSON.stringify(fill(plan.body.json))),
  }
}

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? null)).toWellFormed()

/** Null for what no client can send, such as header values beyond Latin-1. */
function build({ method, path, headers, body }: Sent): Request | null {
  try {
    const withBody = body !== null && method !== 'GET' && method !== 'HEAD'
    return new Request(new URL(path, 'http://localhost'), { method, headers, ...(withBody ? { body } : {}) })
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

async function ask(world: World, request: Request): Promise<Omit<Answer, 'ms'>> {
  const response = await world.app.request(request)
  const type = response.headers.get('content-type') ?? ''
  const text = type.includes('event-stream') ? await firstPart(response) : await wholeText(response)
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: type.includes('json') ? parsed(text) : undefined,
  }
}

/** The request may ask for a compressed response, which only a browser's fetch would decompress. */
async function wholeText(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const encoding = response.headers.get('content-encoding')
  if (encoding === null || bytes.length === 0) return bytes.toString()
  return (encoding === 'br' ? brotliDecompressSync(bytes) : unzipSync(bytes)).toString()
}

const parsed = (text: string): unknown => (text === '' ? undefined : JSON.parse(text))

/** The first part of a live view, which never ends by itself. */
async function firstPart(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return new TextDecoder().decode(value)
}

const otherKeys = await generateKeyPair('RS256')
const TOKEN_LIFE_MS = 30 * 60_000
const tokens = new WeakMap<World, Map<string, { token: string; until: number }>>()

/** A person with a role. Restores the role or the account if an earlier request took it away. */
export async function personOf(world: World, role: Role, person: Person): Promise<Client> {
  await restorePerson(world, role, person)
  return world.as(role, person)
}

async function restorePerson(world: World, role: Role, person: Person): Promise<void> {
  const user = await world.store.read((tx) => findUserByUid(tx, person.uid))
  if (!user) await world.as(role, person)
  else if (user.role !== role) await world.store.write((tx) => updateUser(tx, user.id, { role }))
}

/** The actor's bearer token. */
async function tokenOf(world: World, actor: Actor): Promise<string | null> {
  const now = world.clock.now()
  if ('impostor' in actor) return impostorToken(actor.impostor, now)
  if ('phone' in actor) return phoneToken(world, actor.phone)
  const { role, which } = actor
  const person = { uid: `fuzz-${role}-${which}`, email: `${role}${which}@fuzz.test`, name: `${role} ${which} ગરબા` }
  await restorePerson(world, role, person)
  const cache = tokens.get(world) ?? new Map<string, { token: string; until: number }>()
  tokens.set(world, cache)
  const held = cache.get(person.uid)
  if (held && held.until > now.getTime()) return held.token
  const token = await sign(payloadOf(person, now))
  cache.set(person.uid, { token, until: now.getTime() + TOKEN_LIFE_MS })
  return token
}

const phones = new WeakMap<World, Map<string, Phone>>()

/** A paired phone's token. Restores the phone if an earlier request ended it, took its place or changed its rights. */
async function phoneToken(world: World, right: Right | 'all'): Promise<string> {
  const known = phones.get(world) ?? new Map<string, Phone>()
  phones.set(world, known)
  const rights = right === 'all' ? RIGHTS : [right]
  const phone = known.get(right) ?? (await pairedPhone(world, { rights }))
  known.set(right, phone)
  const { id, publicKey } = phone
  const now = world.clock.now()
  const until = new Date(now.getTime() + TOKEN_LIFE_MS)
  const { x, y } = publicKey as DevicePublicKey
  const key = { kty: 'EC', crv: 'P-256', x, y } as const
  const set = { rights: [...rights], until, publicKey: key, revokedAt: null, endHeardAt: null }
  await world.store.write(async (tx) => {
    const last = await rightsAt(tx, { id, rights: [] }, { at: now, now })
    if (String(last) !== String(rights)) await keepRights(tx, { deviceId: id, since: now, rights: [...rights] })
    await updatePairedDevice(tx, id, set)
  })
  return deviceToken(world, phone)
}

async function impostorToken(impostor: Extract<Actor, { impostor: string }>['impostor'], now: Date) {
  const admin = { uid: 'fuzz-admin-0', email: 'admin0@fuzz.test' }
  const tokenFor = {
    anonymous: () => null,
    garbage: () => 'eyJhbGciOiJub25lIn0.e30.',
    expired: () => sign(payloadOf(admin, new Date(now.getTime() - 86_400_000))),
    otherKey: () => sign(payloadOf(admin, now), otherKeys.privateKey),
    unsigned: () => unsigned(payloadOf(admin, now)),
    stranger: () => sign(payloadOf({ uid: 'fuzz-nobody', email: 'nobody@fuzz.test' }, now)),
  }
  return tokenFor[impostor]()
}
