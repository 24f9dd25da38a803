import { roleSchema } from '@garba/shared/contracts/common'
import { RIGHTS, type Right } from '@garba/shared/contracts/names'
import * as fc from 'fast-check'
import { isRecord, NEWEST_PICK } from './known.ts'
import { anyBody, anyJson, type Care, type Schema, valuesOf } from './values.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}
/** What the fuzzer uses from the server's own OpenAPI document. */
export interface Document {
  paths: Record<string, Record<string, Operation>>
}
interface Operation {
  operationId: string
  'x-roles'?: string[]
  'x-rights'?: string[]
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, unknown>
}

/** Actors without a valid account; the others are people with a role. */
const IMPOSTORS = ['anonymous', 'garbage', 'expired', 'otherKey', 'unsigned', 'stranger'] as const
export const ROLES = roleSchema.options
/** `phone`: a paired phone with that one right, or with all of them. */
export type Actor =
  | { role: (typeof ROLES)[number]; which: number }
  | { phone: Right | 'all' }
  | { impostor: (typeof IMPOSTORS)[number] }

/** One request as pure data, with unresolved references. */
export interface Plan {
  /** The call's name in the document; null for an address that is not a call. */
  call: string | null
  method: string
  /** Path with `{parameters}`; their values come from `path`. */
  template: string
  path: Record<string, unknown>
  query: [string, unknown][]
  headers: Record<string, unknown>
  body: { json: unknown } | { text: string } | null
  actor: Actor
}

/** Relative frequency of calls. Those that change something are more frequent. */
const WEIGHTS: Readonly<Record<string, number>> = {
  buyTickets: 10,
  markUsed: 12,
  markUsedBatch: 8,
  undoMark: 24,
  recordExit: 4,
  verifyQr: 4,
  verifyGroup: 3,
  setTicketStatus: 8,
  cancelTicket: 8,
  refund: 6,
  newCode: 6,
  sellAtDesk: 15,
  deleteMe: 5,
  deleteUser: 4,
  bulkRefund: 7,
  updateEvent: 12,
  roster: 3,
  gate: 3,
  eventImage: 15,
  createDevice: 4,
  allotBlock: 4,
  pairDevice: 8,
  closeCashSession: 5,
  confirmLost: 1,
  refuseLost: 1,
}
const USUAL_WEIGHT = 2

interface PlanOptions {
  seed: number
  count: number
  /** Only valid requests of these calls, by those who may make them. */
  only?: ReadonlySet<string>
}

/** `count` requests for all calls and roles. The same seed and document give the same requests. */
export function plansOf(document: Document, { seed, count, only }: PlanOptions): Plan[] {
  const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ template, method: method.toUpperCase(), operation })),
  )
  const scan = operations.find(({ operation }) => operation.operationId === 'markUsed')
  const scanSchema = scan && bodySchemaOf(scan.operation)
  const care = (loose: boolean): Care => ({ loose, scan: scanSchema })
  const calls = (requests: (one: Target) => fc.Arbitrary<Plan>) =>
    operations.map((one) => ({
      weight: WEIGHTS[one.operation.operationId] ?? USUAL_WEIGHT,
      arbitrary: requests(one),
    }))
  const meant = (one: Target) => requestsTo(one, care(false), allowedTo(one.operation))
  if (only) {
    const chosen = operations.filter(({ operation }) => only.has(operation.operationId))
    return chosen.length === 0 ? [] : fc.sample(fc.oneof(...chosen.map(meant)), { seed, numRuns: count })
  }
  const any = fc.oneof(
    ...calls((one) =>
      fc.oneof(
        { weight: 12, arbitrary: meant(one) },
        { weight: 5, arbitrary: requestsTo(one, care(true), anybody) },
        { weight: 2, arbitrary: requestsTo(one, care(true), anybody).chain(disturbed) },
      ),
    ),
    { weight: 4, arbitrary: addresses },
  )
  const runs = fc.oneof(
    { weight: 20, arbitrary: any.map((plan) => [plan]) },
    { weight: 1, arbitrary: storiesOf(fc.oneof(...calls(meant))) },
  )
  return fc.sample(runs, { seed, numRuns: count }).flat().slice(0, count)
}

/** Several requests by one admin about one ticket, each using the result of the previous one. */
const storiesOf = (plans: fc.Arbitrary<Plan>): fc.Arbitrary<Plan[]> =>
  fc
    .tuple(fc.array(plans, { minLength: 4, maxLength: 12 }), fc.nat(4_000))
    .map(([chosen, ticket]) =>
      chosen.map((plan) => ({ ...(aboutOne(plan, ticket) as Plan), actor: { role: 'admin', which: 0 } as const })),
    )

function aboutOne(value: unknown, ticket: number): unknown {
  if (Array.isArray(value)) return value.map((item) => aboutOne(item, ticket))
  if (!isRecord(value)) return value
  if ('$known' in value) {
    const ofTicket = value.$known === 'ticketId' || value.$known === 'qrCode'
    return { $known: value.$known, pick: ofTicket ? ticket : NEWEST_PICK }
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, aboutOne(item, ticket)]))
}

interface Target {
  template: string
  method: string
  operation: Operation
}

const bodySchemaOf = ({ requestBody }: Operation): Schema | undefined =>
  requestBody?.content['application/json']?.schema

/** Mostly the first person of a role, and guests where anyone signed in may call, so that people often meet their own data. */
const people = (roles: readonly (typeof ROLES)[number][]) =>
  fc.oneof(
    ...roles.flatMap((role) =>
      [0, 1].map((which) => ({
        weight: (which === 0 ? 4 : 1) * (role === 'guest' ? 4 : 1),
        arbitrary: fc.constant<Actor>({ role, which }),
      })),
    ),
  )
const phones = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Actor>({ phone: 'all' }) },
  { weight: 1, arbitrary: fc.constantFrom(...RIGHTS).map((phone): Actor => ({ phone })) },
)
const anybody: fc.Arbitrary<Actor> = fc.oneof(
  { weight: 3, arbitrary: people(ROLES) },
  { weight: 1, arbitrary: phones },
  { weight: 1, arbitrary: fc.constantFrom(...IMPOSTORS).map((impostor): Actor => ({ impostor })) },
)
function allowedTo(operation: Operation): fc.Arbitrary<Actor> {
  const roles = ROLES.filter((role) => operation['x-roles']?.includes(role) ?? true)
  if (!operation['x-rights']) return people(roles)
  return roles.length === 0
    ? phones
    : fc.oneof({ weight: 3, arbitrary: people(roles) }, { weight: 1, arbitrary: phones })
}

function requestsTo(
  { template, method, operation }: Target,
  care: Care,
  actor: fc.Arbitrary<Actor>,
): fc.Arbitrary<Plan> {
  const parameters = operation.parameters ?? []
  const of = (place: Parameter['in']) => {
    const here = parameters.filter((parameter) => parameter.in === place)
    const shape = Object.fromEntries(
      here.map(({ name, schema }) => [name, valuesOf(schema, care, nameIn(template, name))]),
    )
    const requiredKeys = here.filter(({ required }) => required && !care.loose).map(({ name }) => name)
    return fc.record(shape, { requiredKeys: place === 'path' ? here.map(({ name }) => name) : requiredKeys })
  }
  const schema = bodySchemaOf(operation)
  return fc.record({
    call: fc.constant(operation.operationId),
    method: fc.constant(method),
    template: fc.constant(`/api${template}`),
    path: of('path'),
    query: of('query').map((query) => Object.entries(query)),
    headers: of('header'),
    body: schema ? valuesOf(schema, care).map((json) => ({ json })) : fc.constant(null),
    actor,
  })
}

/** The word before `{id}` in the path says what kind of id it is. */
function nameIn(template: string, name: string): string {
  if (name === 'code') return 'orderCode'
  if (name !== 'id') return name
  if (template.includes('/users/')) return 'userId'
  if (template.includes('/events/')) return 'eventId'
  if (template.includes('/cash-sessions/')) return 'cashSessionId'
  if (template.includes('/devices/')) return 'pairedDeviceId'
  if (template.includes('/links/')) return 'linkId'
  if (template.endsWith('/refund')) return 'cancelledId'
  return template.includes('/conflicts/') ? 'conflictId' : 'ticketId'
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']
const TYPES = [
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'application/json; charset=utf-16',
  'application/xml',
  '\u00ff\u00fe',
]
const headerValue = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 40 }),
  fc.integer({ min: 1, max: 20_000 }).map((length) => 'h'.repeat(length)),
  fc.constantFrom(
    'bytes=0-',
    'bytes=9999999-1',
    '-1',
    '99999999999999999999',
    '*',
    'gzip, br;q=0',
    'chunked',
    '127.0.0.1',
  ),
)
const HEADERS = [
  'Range',
  'Content-Length',
  'Accept-Encoding',
  'If-None-Match',
  'X-Forwarded-For',
  'Host',
  'Cookie',
  'Accept',
]

/** The request with one change that none of our clients would make. */
function disturbed(plan: Plan): fc.Arbitrary<Plan> {
  const change = <T>(values: fc.Arbitrary<T>, put: (value: T) => Partial<Plan>) =>
    values.map((value): Plan => ({ ...plan, ...put(value) }))
  return fc.oneof(
    change(anyBody, (text) => ({ body: { text } })),
    change(anyJson, (json) => ({ body: { json } })),
    change(fc.constantFrom(...METHODS), (method) => ({ method })),
    change(fc.constantFrom(...TYPES), (type) => ({ headers: { ...plan.headers, 'Content-Type': type } })),
    change(fc.dictionary(fc.constantFrom(...HEADERS), headerValue), (more) => ({
      headers: { ...plan.headers, ...more },
    })),
    change(fc.array(fc.tuple(fc.string({ unit: 'grapheme', maxLength: 12 }), anyJson), { maxLength: 4 }), (more) => ({
      query: [...plan.query, ...plan.query, ...more],
    })),
    change(fc.integer({ min: 1_000, max: 60_000 }), (length) => ({ query: [['search', 'q'.repeat(length)]] })),
  )
}

/** Addresses that are not calls: pages, files, and what internet scanners request. */
const addresses: fc.Arbitrary<Plan> = fc.record({
  call: fc.constant(null),
  method: fc.constantFrom('GET', 'GET', 'HEAD', ...METHODS),
  template: fc.oneof(
    fc.constantFrom(
      '/',
      '/healthz',
      '/dashboard/guest',
      '/dashboard/qrchecker',
      '/dashboard/admin/users',
      '/index.html',
    ),
    fc.constantFrom(
      '/api',
      '/api/',
      '/api//event',
      '/api/%',
      '/%00',
      '/%E0%A4%A',
      '/..%2f..%2fetc%2fpasswd',
      '/.env',
      '//x',
    ),
    fc.string({ unit: 'grapheme', maxLength: 80 }).map((text) => `/${encodeURI(text.toWellFormed())}`),
    fc.integer({ min: 1, max: 20_000 }).map((length) => `/api/tickets/${'z'.repeat(length)}`),
  ),
  path: fc.constant({}),
  query: fc.constant([]),
  headers: fc.dictionary(fc.constantFrom(...HEADERS), headerValue, { maxKeys: 2 }),
  body: fc.constant(null),
  actor: anybody,
})
