import type { Call } from '@garba/shared/calls/call'
import { CALLS } from '@garba/shared/calls/calls'
import { doorSaleSchema } from '@garba/shared/contracts/phones/block'
import { queuedScanSchema } from '@garba/shared/contracts/phones/scan'
import * as z from '@garba/shared/contracts/zod'
import type { Client } from './world.ts'

/** A person like no other, so that whatever holds one of these words is a trace of theirs. */
export const MARKED = {
  uid: 'uid-zebunnisa',
  name: 'Zebunnisa Quraishi',
  email: 'zebunnisa@marked.example',
  phone: '+91 90000 12345',
  photo: 'https://marked.example/zebunnisa.jpg',
  /** Theirs alone, in texts that are about them alone. */
  word: 'quimbleday',
}
export const TRACES = ['zebunnisa', 'quraishi', 'marked.example', '90000 12345', '9000012345', MARKED.word]

/** What the desk may note about them anywhere. */
export const NOTE = `${MARKED.name.toUpperCase()} (${MARKED.email}) owes 50, call 09000012345`
/** What they or the desk write where it is about them alone. */
export const REASON = `${MARKED.word}: ${MARKED.name} is ill`

interface JsonSchema {
  type?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
}

/** Whether a field takes anything that identifies a person. */
const takesPeople = ({ format, pattern, ...schema }: JsonSchema): boolean => {
  if (schema.enum || 'const' in schema) return false
  if (format === 'email' || format === 'uri') return true
  if (format !== undefined) return false
  return (
    pattern === undefined || [MARKED.name, MARKED.email, MARKED.phone].some((mark) => new RegExp(pattern).test(mark))
  )
}

function fieldsIn(schema: JsonSchema, path: string): string[] {
  const { anyOf = [], oneOf = [], allOf = [], properties = {}, items } = schema
  return [
    ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => fieldsIn(one, path)),
    ...Object.entries(properties).flatMap(([name, one]) => fieldsIn(one, `${path}.${name}`)),
    ...(items ? fieldsIn(items, path) : []),
    ...(schema.type === 'string' && takesPeople(schema) ? [path] : []),
  ]
}

/** Rows that a call checks one by one, so that its contract does not describe them. */
const ROWS: Readonly<Record<string, { field: string; schema: z.ZodType }>> = {
  markUsedBatch: { field: 'scans', schema: queuedScanSchema },
  doorSales: { field: 'sales', schema: doorSaleSchema },
}

/** Every field of every call that takes a name, an email, a phone number or any text, as call.field. */
export function fieldsForPeople(): string[] {
  const fields = Object.entries(CALLS).flatMap(([name, { query, body }]: [string, Call]) => {
    const schemas = [query, body].flatMap((schema) => (schema ? { path: name, schema } : []))
    const rows = ROWS[name]
    return [...schemas, ...(rows ? [{ path: `${name}.${rows.field}`, schema: rows.schema }] : [])].flatMap(
      ({ path, schema }) =>
        fieldsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, path),
    )
  })
  return [...new Set(fields)].toSorted()
}

const PATTERNS = Object.entries(CALLS).map(([name, call]: [string, Call]) => ({
  name,
  method: call.method,
  pattern: new RegExp(`^/api${call.path.replace(/\{\w+\}/g, '[^/]+')}$`),
}))

const isTrace = (text: string): boolean => TRACES.some((trace) => text.toLowerCase().includes(trace))

function planted(value: unknown, path: string): string[] {
  if (typeof value === 'string') return isTrace(value) ? [path] : []
  if (Array.isArray(value)) return value.flatMap((one) => planted(one, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => planted(one, `${path}.${name}`))
}

/** A client that records in `fields` every field of a successful call in which it sent a trace. */
export const noting = (client: Client, fields: Set<string>): Client => ({
  ...client,
  request: async (method, path, body, headers) => {
    const reply = await client.request(method, path, body, headers)
    const { pathname } = new URL(path, 'http://localhost')
    const call = PATTERNS.find((one) => one.method === method && one.pattern.test(pathname))
    if (call && reply.body.success === true) for (const field of planted(body, call.name)) fields.add(field)
    return reply
  },
})

export const TICKET_COLUMNS =
  'id event_id order_id buyer_name buyer_email price_paise type_id number kind status qr_code created_at updated_at revision search_text'
export const SCAN_COLUMNS =
  'id ticket_id outcome admitted_offline manual checker_id checker_name sender_id sender_name at received_at undone_at answer_status answer event_id'

/** One more row of a table, like the row of that id but for what is set. */
export const oneMore = (table: string, columns: string, id: string, set: Record<string, string>) => {
  const names = columns.split(' ')
  const values = names.map((name) => set[name] ?? name)
  return `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${table} where id = ${id}`
}
