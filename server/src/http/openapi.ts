import type { Call } from '@garba/shared/calls/call'
import { CALLS } from '@garba/shared/calls/calls'
import { DEFAULT_EVENT_TITLE } from '@garba/shared/constants'
import { failureSchema } from '@garba/shared/contracts/common'
import type { CallName } from '@garba/shared/contracts/paths'
import { idempotencyKeySchema } from '@garba/shared/contracts/ticket'
import * as z from 'zod'
import type { Settings } from '../config.ts'
import { type Asset, makeAsset } from './assets.ts'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

const jsonContent = (schema: Json): Json => ({ content: { 'application/json': { schema } } })

/** Media types of responses without a schema. */
const OTHER_ANSWERS: Partial<Record<CallName, string>> = {
  eventImage: 'image/*',
  scannerLive: 'text/event-stream',
  gateLive: 'text/event-stream',
  exportTickets: 'text/csv',
  exportOrders: 'text/csv',
  exportTotals: 'text/csv',
  exportAttention: 'text/csv',
  exportCashSessions: 'text/csv',
  exportStatement: 'text/csv',
  exportPayouts: 'text/csv',
  exportDifferences: 'text/csv',
  exportAudit: 'text/csv',
  blockSheet: 'application/pdf',
  openapi: 'application/json',
}

const pathParameters = (path: string): Json[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

function queryParameters(query: z.ZodType | undefined): Json[] {
  if (!query) return []
  const { properties = {}, required = [] } = schemaOf(query, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

/** The calls that take an Idempotency-Key, and whether they need one. */
const KEYED: Partial<Record<CallName, boolean>> = {
  buyTickets: true,
  placeOrder: true,
  sellAtDesk: true,
  refundOrder: true,
  newCode: false,
  setTicketStatus: false,
  bulkUpdate: false,
  activateBlock: false,
  makeBlock: false,
}

function keyHeader(name: CallName): Json[] {
  const required = KEYED[name]
  if (required === undefined) return []
  return [{ name: 'Idempotency-Key', in: 'header', required, schema: schemaOf(idempotencyKeySchema, 'input') }]
}

function operation(name: CallName, call: Call): Json {
  const body = call.body && schemaOf(call.body, 'input')
  const parameters = [...pathParameters(call.path), ...queryParameters(call.query), ...keyHeader(name)]
  const type = OTHER_ANSWERS[name] ?? 'application/json'
  return {
    operationId: name,
    summary: call.summary,
    ...(call.access === 'anyone' ? {} : { security: [{ bearer: [] }] }),
    ...(typeof call.access === 'string' ? {} : { 'x-roles': call.access }),
    ...(call.rights ? { 'x-rights': call.rights } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, ...jsonContent(body) } } : {}),
    responses: {
      [String(call.status ?? 200)]: {
        description: 'The answer',
        ...(call.answer ? jsonContent(schemaOf(call.answer, 'output')) : { content: { [type]: {} } }),
      },
      default: { description: 'A failure', ...jsonContent({ $ref: '#/components/schemas/Failure' }) },
    },
  }
}

const TOKENS =
  'An identity token of Firebase, for calls with x-roles or none; or an ES256 token that a paired phone signed, for calls with x-rights'

/** The API as OpenAPI 3.1, generated from the table and schemas that also serve it. */
function openApiDocument({ eventTitle, version }: Settings): Json {
  const paths: Record<string, Json> = {}
  for (const [name, call] of Object.entries(CALLS) as [CallName, Call][]) {
    const path = paths[call.path] ?? {}
    path[call.method.toLowerCase()] = operation(name, call)
    paths[call.path] = path
  }
  return {
    openapi: '3.1.0',
    info: { title: eventTitle ?? DEFAULT_EVENT_TITLE, version },
    servers: [{ url: '/api' }],
    paths,
    components: {
      schemas: { Failure: schemaOf(failureSchema, 'output') },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: TOKENS } },
    },
  }
}

const made = new WeakMap<Settings, Asset>()

/** The document as a file, made once, because it depends only on the server's version and settings. */
export function openApiFile({ settings }: { settings: Settings }): Asset {
  const known = made.get(settings)
  if (known) return known
  const file = makeAsset('/openapi.json', Buffer.from(JSON.stringify(openApiDocument(settings))))
  made.set(settings, file)
  return file
}
