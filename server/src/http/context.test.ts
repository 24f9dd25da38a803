import { describe, expect, test } from 'vitest'
import { bought, codeOf, mark, putOnSale } from '../testing/scenes.ts'
import { makeWorld } from '../testing/world.ts'

describe('the log', () => {
  test('has one line per request, without tokens, names, emails, codes or queries', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const guest = await world.as('guest')
    const [ticket] = await bought(guest)
    const checker = await world.as('qrchecker')
    await mark(checker, { qrCode: codeOf(ticket) })
    await checker.request('GET', '/api/scanner/roster?deviceId=d1&deviceName=Secret%20Gate')
    await guest.request('PATCH', `/api/tickets/cancel/${ticket._id}`, { reason: 'Private reason' })
    await world.client('ey.bad.token').request('GET', '/api/auth/me')
    await world.nobody.request('POST', '/api/auth/google-signin', { idToken: guest.token })
    await world.nobody.request('GET', '/somewhere/radha@example.org?token=abc')
    const lines = world.log.map((line) => JSON.parse(line))
    expect(lines).toHaveLength(8)
    expect(lines[1]).toMatchObject({ call: 'buyTickets', method: 'POST', status: 201, role: 'guest' })
    const text = world.log.join('')
    for (const secret of [guest.token, checker.token, ticket.qrCode, 'GR1:', 'garba.test', 'Garima', 'Chetan'])
      expect(text).not.toContain(secret)
    expect(text).not.toMatch(/Private reason|Secret|radha@|token=|ey\.bad|deviceId/)
  })

  test('holds a crash of the page as data, without emails, tokens and queries', async () => {
    const world = await makeWorld()
    const reply = await world.nobody.request('POST', '/api/log-error', {
      error: {
        message: 'Boom for radha@example.org with eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.abc\n{"level":60}',
        stack: 'Error\n at https://x.org/assets/a.js?user=radha:1:2',
        name: 'TypeError',
      },
      errorInfo: { componentStack: 'at App' },
      timestamp: '2025-08-08T12:00:00Z',
      url: 'https://x.org/dashboard/guest?search=radha#me',
      userAgent: 'Browser/1',
    })
    expect(reply).toMatchObject({ status: 202, body: { success: true } })
    const line = JSON.parse(world.log.find((entry) => entry.includes('the page crashed')) ?? '{}')
    expect(line.page).toMatchObject({
      name: 'TypeError',
      url: 'https://x.org/dashboard/guest?',
      userAgent: 'Browser/1',
    })
    expect(JSON.stringify(line)).not.toMatch(/radha|eyJ/)
    expect(world.log.every((entry) => entry.trim().split('\n').length === 1)).toBe(true)
  })

  const report = (facts: object) => ({
    error: { message: 'x' },
    timestamp: '2025-08-08T12:00:00Z',
    url: '/',
    userAgent: 'x',
    ...facts,
  })

  test.each([
    ['one endless word', 'a'.repeat(60_000)],
    ['the beginning of a token over and over', 'eyJ'.repeat(20_000)],
    ['half an email over and over', 'a@'.repeat(30_000)],
  ])('is not slowed down by crash reports with %s', async (_, componentStack) => {
    const { nobody } = await makeWorld()
    const send = () => nobody.request('POST', '/api/log-error', report({ errorInfo: { componentStack } }))
    const replies = await Promise.all(Array.from({ length: 20 }, send))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]))
  })

  test('holds 60 crash reports a minute from all addresses together, and notes that there were more', async () => {
    const world = await makeWorld({ limits: { logError: 1_000 } })
    const send = () => world.nobody.request('POST', '/api/log-error', report({}))
    const lines = (message: string) => world.log.filter((line) => JSON.parse(line).msg === message).length
    for (let i = 0; i < 70; i += 1) expect((await send()).status).toBe(202)
    expect(lines('the page crashed')).toBe(60)
    expect(lines('too many crash reports: ignoring the rest of this minute')).toBe(1)
    world.clock.forward(60_000)
    await send()
    expect(lines('the page crashed')).toBe(61)
  })

  test('accepts a crash report nested too deeply for JSON', async () => {
    const world = await makeWorld()
    const [before, after] = JSON.stringify(report({ errorInfo: 0 })).split('0}')
    const deep = `${before}${'['.repeat(20_000)}${']'.repeat(20_000)}}${after}`
    expect((await world.nobody.request('POST', '/api/log-error', deep)).status).toBe(202)
  })

  test('has no error for a phone that disconnected in the middle of a request', async () => {
    const world = await makeWorld()
    const guest = await world.as('guest')
    const body = new ReadableStream({
      pull: (controller) => controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
    })
    const cut = { body, duplex: 'half' } as RequestInit
    expect((await guest.fetch('PUT', '/api/auth/profile', cut)).status).toBe(400)
    expect(world.log.map((line) => JSON.parse(line).level)).toEqual([30])
  })

  test('says where a call failed because of a bug, and the response does not', async () => {
    const world = await makeWorld()
    const guest = await world.as('guest')
    await world.sql('alter table events rename to lost')
    const reply = await guest.request('GET', '/api/event')
    expect(reply).toMatchObject({
      status: 500,
      body: { code: 'INTERNAL', message: 'Server error. Please try again later.' },
    })
    const line = JSON.parse(world.log.find((entry) => entry.includes('call failed')) ?? '{}')
    expect(line).toMatchObject({ level: 50, call: 'event', err: { code: world.noSuchTable } })
    expect(line.requestId).toBe(reply.headers.get('x-request-id'))
  })
})
