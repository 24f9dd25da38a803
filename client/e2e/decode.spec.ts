import { expect, test, workerReady } from './support/fixtures.ts'
import { Gate } from './support/gate.ts'
import { cachedPaths } from './support/pwa.ts'

test.use({ serviceWorkers: 'allow' })

test('with the server gone and the page reloaded, codes are still read: decoder and wasm are in the precache', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const gate = await Gate.open(page, { decodes: true })
  // Active means that everything it precaches has come.
  await workerReady(page)
  const kept = Object.values(await cachedPaths(page)).flat()
  for (const file of [/decode\.worker-.*\.js$/, /zxing_reader-.*\.wasm$/, /libraryRung-.*\.js$/])
    expect(kept.some((path) => file.test(path))).toBe(true)
  await server.stop()
  await page.reload()
  await gate.start()
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'pending', by: 'device' })
})

test.describe('where WebAssembly is off', () => {
  // The decode worker's script must come by the network, where the test can change it.
  test.use({ serviceWorkers: 'block' })

  test('codes are read by the library', async ({ server, page }) => {
    const [ticket] = await (await server.api('guest')).buy(1)
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    await page.route(/decode\.worker-.*\.js$/, async (route) => {
      const response = await route.fetch()
      const off = 'for (const name of ["WebAssembly", "BarcodeDetector"]) Reflect.deleteProperty(globalThis, name)\n'
      await route.fulfill({ response, body: off + (await response.text()) })
    })
    const gate = await Gate.open(page, { decodes: true })
    await gate.start()
    expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'allowed', by: 'server' })
    expect(loaded.filter((url) => /libraryRung-.*\.js$/.test(url))).toHaveLength(1)
    expect(loaded.filter((url) => /\.wasm$/.test(url))).toEqual([])
  })
})
