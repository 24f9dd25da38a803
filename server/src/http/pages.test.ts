import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { SCANNER_PAGES, SITE_PAGES } from '@garba/shared/contracts/site/pages'
import { describe, expect, onTestFinished, test } from 'vitest'
import { putOnSale } from '../testing/scenes.ts'
import { makeWorld } from '../testing/world.ts'

const SHELL = '<html><head><!--meta-->\n<title>x</title>\n<!--/meta--></head><body>the site</body></html>'
const FILES = {
  'index.html': SHELL,
  'scanner.html': '<html><body>the scanner</body></html>',
  'sw-guest.js': 'worker()',
  'guest.webmanifest': '{}',
  'assets/site-abc123.js': 'console.log(1)'.repeat(200),
  'icons/favicon.svg': '<svg/>',
  '.built-from': 'secret',
}

function builtClient(): string {
  const folder = mkdtempSync(join(tmpdir(), 'garba-client-'))
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
const withClient = () => makeWorld({ clientDir: builtClient(), settings: { PUBLIC_URL: 'https://garba.example.org' } })
const get = async (world: Awaited<ReturnType<typeof withClient>>, path: string, headers = {}) => {
  const response = await world.nobody.fetch('GET', path, { headers })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

describe('addresses', () => {
  test.each(['/', '/dashboard', '/dashboard/guest', '/dashboard/admin/users', '/dashboard/nobody', '/privacy-policy'])(
    '%s is the site',
    async (path) => {
      const { status, text, headers } = await get(await withClient(), path)
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ])
      expect(text).toContain('the site')
    },
  )

  const visited = (page: string) =>
    page.replace(':role', 'nobody').replace(/:ticketId|:code/, '01K0000000000000000000000Z')

  test.each(SITE_PAGES.map(visited))('%s from the pages table is the site', async (path) => {
    const world = await withClient()
    for (const address of path === '/' ? [path] : [path, `${path}/`]) {
      const { status, text } = await get(world, address)
      expect([address, status, text.includes('the site')]).toEqual([address, 200, true])
    }
    const beyond = await get(world, `${path === '/' ? '' : path}/not/a/page`)
    expect(beyond.status).toBe(404)
  })

  test.each(SCANNER_PAGES)('%s from the pages table is the scanner', async (path) => {
    const world = await withClient()
    expect(await get(world, path)).toMatchObject({ status: 200, text: FILES['scanner.html'] })
    expect(await get(world, `${path}/nowhere`)).toMatchObject({ status: 404, text: FILES['scanner.html'] })
  })

  test.each(['/dashboard/qrchecker', '/dashboard/qrchecker/readiness', '/scanner.html'])(
    '%s is the scanner',
    async (path) => {
      expect(await get(await withClient(), path)).toMatchObject({ status: 200, text: FILES['scanner.html'] })
    },
  )

  test.each(['/nowhere', '/dashboard/guest/secrets', '/dashboard/manager/tickets', '/dashboard//', '/Privacy-Policy'])(
    '%s is the app’s not-found page, with status 404',
    async (path) => {
      const { status, text } = await get(await withClient(), path)
      expect(status).toBe(404)
      expect(text).toContain('the site')
    },
  )

  test.each([
    '/assets/gone.js',
    '/nowhere.png',
    '/.built-from',
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
  ])('%s is neither a file nor a page', async (path) => {
    const { status, text } = await get(await withClient(), path)
    expect([status, text.includes('secret'), text.includes('"name"')]).toEqual([404, false, false])
  })
})

describe('the first paint', () => {
  const withRenderer = (code: string) => {
    const clientDir = builtClient()
    for (const [name, text] of [
      ['.render/render.js', code],
      ['.vite/manifest.json', '{}'],
    ] as const) {
      mkdirSync(dirname(join(clientDir, name)))
      writeFileSync(join(clientDir, name), text)
    }
    return makeWorld({ clientDir })
  }

  test('that cannot be rendered leaves the bare page and a log entry', async () => {
    const world = await withRenderer('export const renderSitePage = async () => { throw new Error("no lamp oil") }')
    expect(await get(world, '/')).toMatchObject({ status: 200, text: expect.stringContaining('the site') })
    expect(world.log.join('')).toContain('no lamp oil')
  })

  test('of a policy has its name in the tab, in the page’s language', async () => {
    const world = await withRenderer('export const renderSitePage = async () => "drawn"')
    const { text } = await get(world, '/refund-policy', { Cookie: 'garba.language=gu' })
    expect(text).toContain('<title>રિફંડ નીતિ · Garba Rass 2025</title>')
  })

  test('cannot be requested as a file', async () => {
    const world = await withRenderer('export const renderSitePage = async () => "drawn"')
    expect((await get(world, '/')).text).toContain('the site')
    expect((await get(world, '/.render/render.js')).status).toBe(404)
  })
})

describe('caching', () => {
  test('files with hashed names are immutable; workers and manifests are revalidated', async () => {
    const world = await withClient()
    const cacheOf = async (path: string) => (await get(world, path)).headers.get('cache-control')
    expect(await cacheOf('/assets/site-abc123.js')).toBe('public, max-age=31536000, immutable')
    expect(await cacheOf('/sw-guest.js')).toBe('no-cache')
    expect(await cacheOf('/guest.webmanifest')).toBe('no-cache')
    expect(await cacheOf('/index.html')).toBe('no-cache')
  })

  test('what the browser has cached is not sent again', async () => {
    const world = await withClient()
    const etag = (await get(world, '/sw-guest.js')).headers.get('etag') ?? ''
    expect(await get(world, '/sw-guest.js', { 'If-None-Match': etag })).toMatchObject({ status: 304, text: '' })
  })

  test('scripts are sent compressed', async () => {
    const world = await withClient()
    const response = await world.nobody.fetch('GET', '/assets/site-abc123.js', {
      headers: { 'Accept-Encoding': 'gzip, br' },
    })
    expect(response.headers.get('content-encoding')).toBe('br')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(brotliDecompressSync(bytes).toString()).toBe(FILES['assets/site-abc123.js'])
  })

  test.each([
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0.5, br; q=0.000', 'gzip'],
    ['gzip;Q=0,br;q=0', null],
  ])('an encoding that the client refuses is not used: %s', async (accepted, encoding) => {
    const { headers } = await get(await withClient(), '/assets/site-abc123.js', { 'Accept-Encoding': accepted })
    expect(headers.get('content-encoding')).toBe(encoding)
  })
})

describe('link previews', () => {
  test('are filled in from the event', async () => {
    const world = await withClient()
    await putOnSale(world)
    const { text } = await get(world, '/')
    expect(text).toContain('<title>Garba Rass 2025 | Monday, 22 September 2025</title>')
    expect(text).toContain('<meta property="og:url" content="https://garba.example.org/" />')
    expect(text).toContain('<meta property="og:image" content="https://garba.example.org/og.jpg" />')
    expect(text).toMatch(/name="description" content="[^"]*Riverfront Ground, Ahmedabad[^"]*₹249/)
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? '')
    expect(data).toMatchObject({
      '@type': 'Event',
      startDate: '2025-09-22T13:00:00.000Z',
      location: { name: 'Riverfront Ground, Ahmedabad' },
      offers: { price: 299, priceCurrency: 'INR', availability: 'https://schema.org/InStock' },
    })
  })

  test('shorten a long text between two emojis, never inside one', async () => {
    for (const venue of ['Garden', 'Gardens']) {
      const world = await withClient()
      await putOnSale(world, { venue, description: '💃'.repeat(400) })
      const { text } = await get(world, '/')
      expect(text).toMatch(/name="description" content="[^"]*💃…"/u)
      expect(text).not.toContain('\ufffd')
    }
  })

  test('escape an event’s text', async () => {
    const world = await withClient()
    const evil = '</script><script>alert(1)</script>"\'$&$1<!--'
    await putOnSale(world, { name: evil, venue: evil, description: evil })
    const { text } = await get(world, '/')
    expect(text.match(/<script/g)).toHaveLength(1)
    expect(text).not.toContain('alert(1)</script>"')
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? '')
    expect(data.name).toBe(evil)
    expect(text).toContain('content="&lt;/script&gt;')
  })

  test('are generic without an event and on other pages', async () => {
    const world = await withClient()
    expect((await get(world, '/')).text).toContain('<title>Garba Rass 2025</title>')
    await putOnSale(world)
    for (const path of ['/privacy-policy', '/privacy-policy/']) {
      const { text } = await get(world, path)
      expect(text).not.toContain('ld+json')
      expect(text).toContain('<title>Privacy Policy · Garba Rass 2025</title>')
    }
    expect((await get(world, '/dashboard/guest')).text).toContain('<title>Garba Rass 2025</title>')
  })
})

test('with an event that cannot be read the pages still open, so that the desk can repair it', async () => {
  const world = await withClient()
  await putOnSale(world)
  await world.sql("update events set date = 'someday'")
  for (const path of ['/', '/dashboard/admin/event']) expect((await get(world, path)).status).toBe(200)
  expect(world.log.join('')).toContain('a page was sent without the event')
})

test('without a built client the API answers and the pages say what to do', async () => {
  const world = await makeWorld({ clientDir: '/nowhere/at/all' })
  const page = await world.nobody.fetch('GET', '/')
  expect([page.status, await page.text()]).toEqual([503, 'The client is not built yet. Run: npm run build\n'])
  expect((await world.nobody.request('GET', '/api/event')).status).toBe(200)
})

test('healthz reads the database', async () => {
  const world = await makeWorld()
  expect(await world.nobody.request('GET', '/healthz')).toMatchObject({ status: 200, body: { success: true } })
  await world.sql('drop table counters')
  expect((await world.nobody.request('GET', '/healthz')).status).toBe(500)
})
