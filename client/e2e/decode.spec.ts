import { expect, test, workerReady } from './support/fixtures.ts'
import { Gate } from './support/gate.ts'
import { cachedPaths } from './support/pwa.ts'

test('with the server gone and the page reloaded, codes are still read: decoder and wasm are in the precache', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const gate = await Gate.open(page)
  // Active means that everything it precaches has come.
  await workerReady(page)
  const kept = Object.values(await cachedPaths(page)).flat()
  for (const file of [/decode\.worker-.*\.js$/, /zxing_reader-.*\.wasm$/, /libraryRung-.*\.js$/])
    expect(kept.some((path) => file.test(path))).toBe(true)
  await server.kill()
  await page.reload()
  await gate.start()
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'pending', by: 'device' })
})
