import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeBinary } from '../../../scripts/setup.mjs'
import { test as base, expect, type Page, workerReady } from '../../e2e/support/fixtures.ts'
import { Gate } from '../../e2e/support/gate.ts'
import { GUEST, shownCodes, ticketCards } from '../../e2e/support/guest.ts'
import { enterByHand } from '../../e2e/support/session.ts'

/** Each test begins with the server, the client and the data of the earlier version that `npm run clients` has built. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
  serverOptions: async ({}, use) => {
    const folder = process.env.GARBA_EARLIER
    if (folder === undefined) throw new Error('Run it by: npm run clients -- upgrade')
    const data = mkdtempSync(join(tmpdir(), 'garba-earlier-'))
    const env = { ...process.env, DATA_DIR: data }
    const { status, stderr } = spawnSync(nodeBinary(), ['scripts/seed.ts'], { cwd: folder, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`The earlier version made no data:\n${stderr}`)
    await use({ earlier: { main: join(folder, 'server', 'src', 'main.ts'), data } })
    rmSync(data, { recursive: true, force: true })
  },
})

/** The scripts of a page tell which version it is. */
const scripts = (page: Page) => page.evaluate(() => Array.from(document.scripts, ({ src }) => src).filter(Boolean))

const SCANNER = '/dashboard/qrchecker'
const updateNow = (page: Page) => page.getByRole('button', { name: 'Update now' })

test('a scanner in use goes on with the new server, and what is unsent when the app changes is sent', async ({
  page,
  context,
  server,
}) => {
  const tickets = await (await server.api('guest')).buy(4)
  const code = (at: number) => tickets[at]?.qrCode ?? ''
  const gate = await Gate.open(page, {}, { byHand: true, listed: /\d+ s old/ })
  await workerReady(page)
  // Only a page that the worker controls makes the next one wait.
  await page.reload()
  await expect(gate.status).toContainText(/tickets?, /)
  await gate.start()
  expect(await gate.scan(code(0))).toMatchObject({ look: 'allowed', by: 'server' })
  await server.stop()
  expect(await gate.scan(code(1))).toMatchObject({ look: 'pending', by: 'device' })
  await expect(gate.status).toContainText('1 unsent')

  await server.upgrade()
  await gate.says('All sent')
  expect(await gate.scan(code(2))).toMatchObject({ look: 'allowed', by: 'server' })
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await expect(page.getByText('A new version of the scanner is ready.')).toBeVisible()
  await expect(updateNow(page)).toBeHidden()
  const earlier = await scripts(page)

  await server.stop()
  expect(await gate.scan(code(3))).toMatchObject({ look: 'pending', by: 'device' })
  await expect(gate.status).toContainText('1 unsent')
  await page.close()
  await server.start()
  const next = await context.newPage()
  await next.goto('/healthz')
  const waits = (scope: string) =>
    next.evaluate(async (path) => (await navigator.serviceWorker.getRegistration(path))?.waiting != null, scope)
  await expect.poll(() => waits(SCANNER)).toBe(false)
  await next.goto(SCANNER)
  const later = new Gate(next, gate.camera)
  await later.says('All sent')
  for (const script of await scripts(next)) expect(earlier).not.toContain(script)
  await expect(later.recent).toContainText('Garima Guest')
  expect(server.rows('select outcome, admitted_offline as offline from scans order by at')).toEqual(
    [0, 1, 0, 1].map((offline) => ({ outcome: 'admitted', offline })),
  )
  expect(server.rows("select count(*) as used from tickets where status = 'used'")).toEqual([{ used: 4 }])
})

test('the tickets of a guest are there before, during and after the change, and the new app comes by consent', async ({
  page,
  server,
}) => {
  const tickets = await (await server.api('guest')).buy(2)
  await enterByHand(page, 'guest')
  await page.goto(GUEST)
  await expect(ticketCards(page)).toHaveCount(2)
  await workerReady(page)
  await server.stop()
  await page.reload()
  await expect(ticketCards(page)).toHaveCount(2)
  await expect(page.getByText('You are offline')).toBeVisible()

  await server.upgrade()
  await page.reload()
  await expect(ticketCards(page)).toHaveCount(2)
  const earlier = await scripts(page)
  const reloaded = page.waitForEvent('load')
  await updateNow(page).click()
  await reloaded
  await expect(ticketCards(page)).toHaveCount(2)
  for (const script of await scripts(page)) expect(earlier).not.toContain(script)
  await server.stop()
  await page.reload()
  await expect(ticketCards(page)).toHaveCount(2)
  expect(await shownCodes(page)).toEqual(tickets.map(({ qrCode }) => qrCode).toSorted())
})

test('a desk that is open goes on counting at the gate', async ({ page, server }) => {
  const tickets = await (await server.api('guest')).buy(2)
  const letIn = async (at: number) => {
    const body = { qrCode: tickets[at]?.qrCode ?? '', scanId: crypto.randomUUID() }
    expect(await (await server.api('checker')).call('markUsed', { body })).toMatchObject({ status: 200 })
  }
  await enterByHand(page, 'admin')
  await page.goto('/dashboard/admin/gate')
  await letIn(0)
  const inside = page.getByRole('region', { name: /^(Admitted|People let in)$/ })
  await expect(inside).toContainText('1')
  await server.upgrade()
  await letIn(1)
  await expect(inside).toContainText('2')
})
