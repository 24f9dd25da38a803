import { CALLS } from '@garba/shared/calls/calls'
import { expect, test } from 'vitest'
import { makeWorld } from '../testing/world.ts'

interface Operation {
  operationId: string
  security?: unknown
  parameters?: { name: string; in: string; required: boolean }[]
  requestBody?: unknown
  responses: Record<string, { content?: Record<string, unknown> }>
}

test('the document has every call of the contract with its inputs and responses', async () => {
  const { nobody } = await makeWorld()
  const { body } = await nobody.request('GET', '/api/openapi.json')
  const paths = body.paths as Record<string, Record<string, Operation>>
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  expect(operations.map((operation) => operation.operationId).sort()).toEqual(Object.keys(CALLS).sort())
  expect(body.openapi).toBe('3.1.0')
  const buy = paths['/tickets']?.post
  expect(buy?.responses).toHaveProperty('201')
  expect(buy?.parameters).toMatchObject([{ name: 'Idempotency-Key', in: 'header', required: true }])
  expect(buy?.security).toEqual([{ bearer: [] }])
  expect(paths['/event']?.get?.security).toBeUndefined()
  expect(paths['/event']?.post?.requestBody).toBeDefined()
  expect(paths['/scanner/roster']?.get?.parameters?.map(({ name }) => name)).toContain('since')
  expect(JSON.stringify(body)).not.toContain('undefined')
})

test('the document names the media type of every file', async () => {
  const world = await makeWorld()
  const admin = await world.as('admin')
  const { body } = await admin.request('GET', '/api/openapi.json')
  const paths = body.paths as Record<string, { get?: Operation }>
  const typeOf = (path: string) => Object.keys(paths[path]?.get?.responses[200]?.content ?? {})
  for (const path of Object.keys(paths).filter((one) => one.endsWith('/export') && !one.includes('{'))) {
    const response = await admin.fetch('GET', `/api${path}`)
    expect([response.status, typeOf(path)], path).toEqual([200, [response.headers.get('content-type')?.split(';')[0]]])
  }
  expect(typeOf('/admin/users/{id}/export')).toEqual(['application/json'])
  expect(typeOf('/admin/blocks/{id}/sheet')).toEqual(['application/pdf'])
})

test('the document says which calls need an Idempotency-Key, and which take one', async () => {
  const { nobody } = await makeWorld()
  const { body } = await nobody.request('GET', '/api/openapi.json')
  const operations = Object.values(body.paths as Record<string, Record<string, Operation>>).flatMap(Object.values)
  const keys = operations.flatMap(({ operationId, parameters = [] }: Operation) =>
    parameters.flatMap(({ name, required }) => (name === 'Idempotency-Key' ? [[operationId, required]] : [])),
  )
  expect(Object.fromEntries(keys)).toEqual({
    buyTickets: true,
    newCode: false,
    placeOrder: true,
    sellAtDesk: true,
    refundOrder: true,
    setTicketStatus: false,
    bulkUpdate: false,
    activateBlock: false,
    makeBlock: false,
  })
})

test('a client that has the document does not get it again', async () => {
  const { nobody } = await makeWorld()
  const first = await nobody.fetch('GET', '/api/openapi.json', { headers: { 'Accept-Encoding': 'gzip' } })
  const etag = first.headers.get('etag') ?? ''
  expect([etag, first.headers.get('cache-control')]).toEqual([expect.stringMatching(/^"\S+"$/), 'public, max-age=3600'])
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await nobody.fetch('GET', '/api/openapi.json', { headers: { 'If-None-Match': known } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  }
  const other = await nobody.fetch('GET', '/api/openapi.json', { headers: { 'If-None-Match': '"other"' } })
  expect(other.status).toBe(200)
})
