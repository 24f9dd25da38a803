import * as fc from 'fast-check'
import type { KnownKind } from './known.ts'

/** The parts of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
}

/** How far values may deviate from the schema. */
export interface Care {
  /** Violates the schema now and then, with other types, lengths or properties. */
  loose: boolean
  /** The schema of one scan. The document does not describe the rows of a batch, because each is checked separately. */
  scan: Schema | undefined
  /** The only property of its object, where an id refers to something earlier. */
  alone?: boolean
}

const HALVES = { from: 0xd800, count: 0x800 }
/** Any but half of a surrogate pair. Fast-check's own `binary` first makes a map of a million, for more than a second. */
const ANY_CHARACTER = fc
  .nat(0x10_ffff - HALVES.count)
  .map((n) => String.fromCodePoint(n < HALVES.from ? n : n + HALVES.count))

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const EXTREME_MOMENTS = [
  '0000-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-23:59',
  '2024-02-29T23:59:59.9999999999999Z',
]
const EXTREME_DAYS = [
  '0000-01-01',
  '0001-01-01',
  '1969-12-31',
  '2024-02-29',
  '2025-02-30',
  '9999-12-31',
  '+275760-09-13',
]
const EXTREME_NUMBERS = [
  0,
  -0,
  -1,
  0.1 + 0.2,
  1e-7,
  1.5,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
  Number.MAX_SAFE_INTEGER,
  1e21,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
]
const EXTREME_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  'a\u0300'.repeat(40),
  '🪔👨‍👩‍👧‍👦ગરબા गरबा',
  '\u202etfel ot thgir',
  "'; drop table tickets; --",
  '%_\\',
  '=1+1',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '__proto__',
  'NaN',
  '1e400',
]

const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: ANY_CHARACTER, maxLength: 60 }) },
  { weight: 2, arbitrary: fc.constantFrom(...EXTREME_TEXTS) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 30_000 }).map((length) => 'x'.repeat(length)) },
)

/** `depth` nested lists, too deep for a recursive parser. */
const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** Any JSON value. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...EXTREME_NUMBERS, null, true, [], {}) },
  { weight: 2, arbitrary: anyText },
  { weight: 1, arbitrary: fc.integer({ min: 10, max: 400 }).map((depth): unknown => JSON.parse(deep(depth))) },
)

/** Bodies that are not JSON, or JSON that none of our clients would send. */
export const anyBody: fc.Arbitrary<string> = fc.oneof(
  anyText,
  fc.constantFrom(
    '{',
    'null',
    '"',
    '{"a":1}{"b":2}',
    '\ufeff{}',
    '{"__proto__":{"role":"admin"}}',
    '{"quantity":1,"quantity":2}',
    '[[],[]]',
    '1e999',
    '{"quantity":1e999}',
    'quantity=1&reason=x',
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--',
  ),
  fc.integer({ min: 1_000, max: 200_000 }).map(deep),
  fc.integer({ min: 1, max: 600 }).map((kb) => `"${'y'.repeat(kb * 1024)}"`),
  anyJson.map((value) => JSON.stringify(value)),
)

const known = ($known: KnownKind): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.nat(4_000).map((pick) => ({ $known, pick })) },
    { weight: 1, arbitrary: fc.record({ $known: fc.constant($known), pick: fc.nat(4_000), spoil: fc.nat(120) }) },
  )

/** Names whose values only make sense if they already exist. */
const KNOWN_NAMES: Readonly<Record<string, KnownKind>> = {
  qrCode: 'qrCode',
  ticketId: 'ticketId',
  ticketIds: 'ticketId',
  scanId: 'scanId',
  checkerId: 'userId',
  userId: 'userId',
  conflictId: 'conflictId',
  eventId: 'eventId',
  event: 'eventId',
  hash: 'imageHash',
  deviceId: 'deviceId',
  'Idempotency-Key': 'saleKey',
  idToken: 'idToken',
  orderCode: 'orderCode',
  cashSessionId: 'cashSessionId',
  pairedDeviceId: 'pairedDeviceId',
  cancelledId: 'cancelledId',
  code: 'pairingCode',
  linkId: 'linkId',
  token: 'linkToken',
}
/** New values are as common as repeated ones. */
const MAY_BE_NEW = new Set(['scanId', 'deviceId', 'Idempotency-Key'])

/** A point of P-256. */
const PUBLIC_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY',
  y: 'T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
}

/** Realistic values where the document allows more: an event that can be sold, small orders. */
const USUAL: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  publicKey: fc.constant(PUBLIC_KEY),
  until: fc.integer({ min: 60_000, max: 40 * 86_400_000 }).map(($inMs) => ({ $inMs })),
  quantity: fc.integer({ min: 1, max: 6 }),
  phone: fc.constantFrom('9825012345', '+91 98250 12345', ''),
  ticketPrice: fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.constantFrom('299', '299.50', 249.5)),
  groupPrice4: fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.constantFrom('249', 0.01)),
  totalTickets: fc.oneof(fc.integer({ min: 20, max: 3_000 }), fc.constantFrom('500')),
  startTime: fc.constantFrom('00:00', '16:30', '18:30'),
  endTime: fc.constantFrom('22:30', '23:00', '23:59'),
  eventImage: fc.constantFrom<unknown>(PIXEL, null, ''),
  features: fc.constantFrom<unknown>(['Live dhol'], 'dhol, dandiya', null),
  admittedOffline: fc.boolean(),
  manual: fc.constant(true),
  isRefundDone: fc.constantFrom(true, false, null),
}

/** Left out most of the time, because hardly any value is one that the server knows. */
const SELDOM_SENT = new Set(['lines', 'types', 'code', '_id', 'paused', 'capacity', 'salesFrom', 'salesUntil'])

/** Values for a schema; `name` is their property or parameter. */
export function valuesOf(schema: Schema, care: Care, name = ''): fc.Arbitrary<unknown> {
  const kind = KNOWN_NAMES[name]
  const own = bySchema(schema, care, name)
  const listed = schema.type === 'array' && kind !== undefined
  const meant = listed
    ? fc.array(known(kind), { minLength: 1, maxLength: 8 })
    : (USUAL[name] ?? (kind === undefined ? undefined : known(kind)))
  const fresh = MAY_BE_NEW.has(name) && !care.alone ? 5 : 1
  const usual = meant ? fc.oneof({ weight: 8, arbitrary: meant }, { weight: fresh, arbitrary: own }) : own
  if (!care.loose) return usual
  return fc.oneof({ weight: 12, arbitrary: usual }, { weight: 2, arbitrary: own }, { weight: 1, arbitrary: anyJson })
}

function bySchema(schema: Schema, care: Care, name: string): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => bySchema(one, care, name)))
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => bySchema({ ...schema, type }, care, name)))
  if (schema.type === 'string') return texts(schema)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'null') return fc.constant(null)
  if (schema.type === 'integer' || schema.type === 'number') return numbers(schema)
  if (schema.type === 'array') return lists(schema, care, name)
  if (schema.properties) return objects(schema, care)
  return anyJson
}

/** Making one of them takes longer than all that is drawn from it. */
const matching = new Map<string, fc.Arbitrary<string>>()
function textsMatching(pattern: string): fc.Arbitrary<string> {
  const known = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern))
  matching.set(pattern, known)
  return known
}

/** fc.webUrl takes a second to list each character that it may encode. */
const addresses = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    host: fc.domain(),
    path: fc.string({ unit: 'grapheme', maxLength: 30 }),
    query: fc.option(fc.string({ unit: 'grapheme', maxLength: 30 })),
  })
  .map(({ scheme, host, path, query }) => {
    const search = query === null ? '' : `?${encodeURIComponent(query)}`
    return `${scheme}://${host}/${encodeURIComponent(path)}${search}`
  })

function texts({ format, pattern, minLength = 0, maxLength = 80 }: Schema): fc.Arbitrary<unknown> {
  if (format === 'date-time')
    return fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: -3_600_000, max: 600_000 }).map(($inMs) => ({ $inMs })) },
      { weight: 2, arbitrary: fc.integer({ min: -4e10, max: 4e10 }).map(($inMs) => ({ $inMs })) },
      { weight: 1, arbitrary: fc.constantFrom(...EXTREME_MOMENTS) },
    )
  if (format === 'date')
    return fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 60 }).map(($inDays) => ({ $inDays })) },
      { weight: 1, arbitrary: fc.integer({ min: -40_000, max: 40_000 }).map(($inDays) => ({ $inDays })) },
      { weight: 1, arbitrary: fc.constantFrom(...EXTREME_DAYS) },
    )
  if (format === 'uuid') return fc.uuid()
  if (format === 'uri') return addresses
  if (pattern !== undefined) return textsMatching(pattern).filter(({ length }) => length >= minLength)
  const max = Math.max(minLength, Math.min(maxLength, 200))
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength, maxLength: Math.min(max, 30) }) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: max }) },
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(maxLength), 'x'.repeat(minLength)) },
  )
}

function numbers({ minimum = -(2 ** 53), maximum = 2 ** 53 }: Schema): fc.Arbitrary<unknown> {
  const [min, max] = [Math.ceil(Math.max(minimum, Number.MIN_SAFE_INTEGER)), Math.min(maximum, Number.MAX_SAFE_INTEGER)]
  return fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: Math.max(min, Math.min(-20, max)), max: Math.min(max, 200) }) },
    { weight: 1, arbitrary: fc.constantFrom(min, max) },
    { weight: 1, arbitrary: fc.maxSafeInteger().map((number) => Math.min(max, Math.max(min, number))) },
  )
}

function lists(
  { items = {}, minItems = 0, maxItems = 1_000 }: Schema,
  care: Care,
  name: string,
): fc.Arbitrary<unknown> {
  const scans = name === 'scans' && care.scan
  const item = scans
    ? fc.oneof({ weight: 8, arbitrary: valuesOf(scans, care) }, { weight: 1, arbitrary: anyJson })
    : valuesOf(items, care)
  return fc.oneof(
    { weight: 20, arbitrary: fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, 8) }) },
    { weight: 1, arbitrary: item.map((one) => Array.from({ length: maxItems }, () => one)) },
  )
}

function objects({ properties = {}, required = [] }: Schema, care: Care): fc.Arbitrary<unknown> {
  const named = Object.entries(properties)
  const alone = named.length === 1
  const makeValue = (name: string, schema: Schema) => {
    const value = valuesOf(schema, { ...care, alone }, name)
    const isSeldom = SELDOM_SENT.has(name) && !required.includes(name)
    return isSeldom
      ? fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
      : value
  }
  const shape = Object.fromEntries(named.map(([name, schema]) => [name, makeValue(name, schema)]))
  // A sale needs one of the two.
  const requiredKeys = 'lines' in properties && 'quantity' in properties ? [...required, 'quantity'] : required
  const whole = fc.record(shape, { requiredKeys })
  if (!care.loose) return whole
  const more = fc.dictionary(anyText, anyJson, { maxKeys: 2 })
  return fc.oneof(
    { weight: 4, arbitrary: whole },
    { weight: 1, arbitrary: fc.record(shape, { requiredKeys: [] }) },
    { weight: 1, arbitrary: fc.tuple(whole, more).map(([known, extra]) => ({ ...known, ...extra })) },
  )
}
