import type { Call } from '@garba/shared/calls/call'
import { CALLS } from '@garba/shared/calls/calls'
import { DEFAULT_EVENT_TITLE } from '@garba/shared/constants'
import { failureSchema } from '@garba/shared/contracts/common'
import type { CallName } from '@garba/shared/contracts/paths'
import { doorSaleSchema } from '@garba/shared/contracts/phones/block'
import { scanBodySchema } from '@garba/shared/contracts/phones/scan'
import { idempotencyKeySchema } from '@garba/shared/contracts/ticket'
import * as z from 'zod'
import type { Settings } from '../config.ts'
import { type Asset, makeAsset } from './assets.ts'

type Json = Record<string, unknown>

const buildJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

const jsonContent = (schema: Json): Json => ({ content: { 'application/json': { schema } } })

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
  exportRegister: 'text/csv',
  blockSheet: 'application/pdf',
  openapi: 'application/json',
}

/**
 * The last word of such a path is described as a parameter with one value: as a word, a reader of the description could take
 * `/tickets/{id}/name` and `/tickets/cancel/{id}` for each other.
 */
const PART_OF_TICKET = /^\/tickets\/\{id\}\/([a-z-]+)$/

const describePath = (path: string): string => path.replace(PART_OF_TICKET, '/tickets/{id}/{part}')

const pathParameters = (path: string): Json[] =>
  Array.from(describePath(path).matchAll(/\{(\w+)\}/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', ...(name === 'part' ? { enum: [PART_OF_TICKET.exec(path)?.[1]] } : {}) },
  }))

function queryParameters(query: z.ZodType | undefined): Json[] {
  if (!query) return []
  const { properties = {}, required = [] } = buildJsonSchema(query, 'input') as {
    properties?: Json
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

/** A file's content. Clients read text as a string, and anything else as bytes. */
const fileContent = (type: string): Json => ({
  content: {
    [type]: {
      schema:
        type === 'application/json'
          ? { type: 'object', additionalProperties: true }
          : { type: 'string', ...(type.startsWith('text/') ? {} : { format: 'binary' }) },
    },
  },
})

/** Lists whose rows the flow checks one by one, so that the body's own schema leaves them open. */
const ROWS: Partial<Record<CallName, readonly [list: string, row: z.ZodType]>> = {
  markUsedBatch: ['scans', scanBodySchema],
  doorSales: ['sales', doorSaleSchema],
}

function buildRequestBody(name: CallName, { body, raw }: Call): Json {
  if (raw) return { requestBody: { required: true, ...fileContent('application/json') } }
  if (!body) return {}
  const schema = buildJsonSchema(body, 'input')
  const [list, row] = ROWS[name] ?? []
  const properties = schema.properties as Record<string, Json> | undefined
  if (list && row && properties) properties[list] = { ...properties[list], items: buildJsonSchema(row, 'input') }
  return { requestBody: { required: !body.safeParse(undefined).success, ...jsonContent(schema) } }
}

const FAILURES = {
  400: 'The body, the query or an id is not as described',
  401: 'Not signed in, or the token has ended',
  403: 'Signed in, but without the role or right',
  404: 'Nothing has this id',
  409: 'The state of the thing does not allow it, such as sold out or already used',
  413: 'The body is too large',
  429: 'Too many requests',
} as const

function buildFailureResponses({ access, method, path, query, body, raw }: Call): Json {
  const takesBody = body !== undefined || raw === true
  const statuses = [
    ...(takesBody || query || path.includes('{') ? [400] : []),
    ...(access === 'anyone' ? [] : [401, 403]),
    ...(path.includes('{') ? [404] : []),
    ...(method === 'GET' ? [] : [409]),
    ...(takesBody ? [413] : []),
    429,
  ]
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]))
}

const KEYED: Partial<Record<CallName, boolean>> = {
  buyTickets: true,
  placeOrder: true,
  sellAtDesk: true,
  refundOrder: true,
  setEventState: true,
  newCode: false,
  setTicketStatus: false,
  bulkUpdate: false,
  activateBlock: false,
  makeBlock: false,
}

function keyHeader(name: CallName): Json[] {
  const required = KEYED[name]
  if (required === undefined) return []
  return [{ name: 'Idempotency-Key', in: 'header', required, schema: buildJsonSchema(idempotencyKeySchema, 'input') }]
}

function operation(name: CallName, call: Call): Json {
  const parameters = [...pathParameters(call.path), ...queryParameters(call.query), ...keyHeader(name)]
  const type = OTHER_ANSWERS[name] ?? 'application/json'
  return {
    operationId: name,
    summary: call.summary,
    security: call.access === 'anyone' ? [] : [{ bearer: [] }],
    ...(typeof call.access === 'string' ? {} : { 'x-roles': call.access }),
    ...(call.rights ? { 'x-rights': call.rights } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...buildRequestBody(name, call),
    responses: {
      [String(call.status ?? 200)]: {
        description: 'The answer',
        ...(call.answer ? jsonContent(buildJsonSchema(call.answer, 'output')) : fileContent(type)),
      },
      ...buildFailureResponses(call),
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
    const path = describePath(call.path)
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(name, call) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: eventTitle ?? DEFAULT_EVENT_TITLE,
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }],
    paths,
    components: {
      schemas: { Failure: buildJsonSchema(failureSchema, 'output') },
      responses: Object.fromEntries(
        Object.entries(FAILURES).map(([status, description]) => [
          `Failure${status}`,
          { description, ...jsonContent({ $ref: '#/components/schemas/Failure' }) },
        ]),
      ),
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
