import { expect, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'

test('codes are read by the library where WebAssembly is off', async ({ server, page }) => {
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
