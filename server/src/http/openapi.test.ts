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
  expect(paths['/event']?.get?.security).toEqual([])
  expect(paths['/event']?.post?.requestBody).toBeDefined()
  expect(paths['/scanner/roster']?.get?.parameters?.map(({ name }) => name)).toContain('since')
  expect(JSON.stringify(body)).not.toContain('undefined')
})

test('no two paths of the document can be taken for each other', async () => {
  const { nobody } = await makeWorld()
  const paths = Object.keys((await nobody.request('GET', '/api/openapi.json')).body.paths as object)
  const isOpen = (part: string | undefined) => part?.startsWith('{') ?? false
  const openIn = (path: string) => path.split('/').filter(isOpen).length
  const meets = (a: string, b: string) => {
    const [those, these] = [a.split('/'), b.split('/')]
    const areAlike = those.every((part, i) => part === these[i] || isOpen(part) || isOpen(these[i]))
    return a !== b && those.length === these.length && openIn(a) === openIn(b) && areAlike
  }
  expect(paths.flatMap((a) => paths.filter((b) => meets(a, b)).map((b) => `${a} ${b}`))).toEqual([])
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
    setEventState: true,
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

test('the document says who may call, what fails, and what a client sends and gets', async () => {
  const { nobody } = await makeWorld()
  const { body } = await nobody.request('GET', '/api/openapi.json')
  expect(body.info).toMatchObject({ license: { identifier: 'MIT' } })
  const operations = Object.values(body.paths as Record<string, Record<string, Operation>>).flatMap(Object.values)
  for (const { operationId, security, responses } of operations as Operation[]) {
    expect(security, operationId).toBeInstanceOf(Array)
    expect(Object.keys(responses), operationId).toContain('429')
    const [content] = Object.values(responses[200]?.content ?? responses[201]?.content ?? responses[202]?.content ?? {})
    expect(content, operationId).toHaveProperty('schema')
  }
  const find = (name: string) => operations.find(({ operationId }) => operationId === name)
  const rows = (list: string) =>
    expect.objectContaining({
      required: true,
      content: {
        'application/json': {
          schema: expect.objectContaining({
            properties: { [list]: expect.objectContaining({ items: expect.objectContaining({ type: 'object' }) }) },
          }),
        },
      },
    })
  expect(find('markUsedBatch')?.requestBody).toEqual(rows('scans'))
  expect(find('doorSales')?.requestBody).toEqual(rows('sales'))
  expect(find('razorpayWebhook')?.requestBody).toMatchObject({ required: true })
})
