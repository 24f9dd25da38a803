import { REHEARSAL, SIGN_IN } from '@garba/shared/messages/common'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { accountMenu, restoreSession, signIn } from '../support/session.ts'

/** Turns the server's data into a rehearsal's, as the command marks them. */
async function makeRehearsal(server: TestServer): Promise<void> {
  await server.stop()
  server.change("insert into meta (key, value) values ('rehearsal', 'now')")
  server.change("update events set name = 'REHEARSAL: ' || name")
  await server.start()
}

const mark = (page: Page) => page.getByRole('complementary', { name: REHEARSAL.mark })

test('the pages, the desk and the scanner of a rehearsal are marked, also over a verdict, and no real evening is; a guest who signs in reads why not, and what to do', async ({
  page,
  server,
  browser,
}) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(mark(page)).toHaveCount(0)
  await makeRehearsal(server)
  // React adds scripts of its own to code that comes late, which the page's policy would block.
  expect((await (await fetch(server.url)).text()).match(/<script/g)).toHaveLength(3)
  await page.goto('/')
  await expect(mark(page)).toBeVisible()
  await signIn(page, 'guest')
  await expect(page.getByRole('alert').first()).toContainText(SIGN_IN.refused.crewOnly)
  await expect(accountMenu(page)).toHaveCount(0)
  await restoreSession(page, 'admin')
  for (const path of ['/dashboard/admin', '/dashboard/admin/evening', '/privacy-policy']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await expect(mark(page)).toBeVisible()
  }

  // Another phone: in this browser the desk is still open as an admin.
  const phone = await (await browser.newContext()).newPage()
  const gate = await Gate.open(phone)
  await expect(mark(phone)).toBeVisible()
  await gate.start()
  expect(await gate.scan('https://example.org/menu')).toMatchObject({ look: 'refused' })
  await expect(mark(phone)).toBeVisible()
})
