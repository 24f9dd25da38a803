import { expect, type Page, test } from '../support/fixtures.ts'
import { restoreSession } from '../support/session.ts'

declare global {
  interface Window {
    /** How often the page tried to compile text. */
    garbaCompiled: number
  }
}

/** Counts what a browser would forbid. */
const countCompiled = (page: Page) =>
  page.addInitScript(() => {
    window.garbaCompiled = 0
    window.Function = new Proxy(window.Function, {
      construct: (compile, given) => {
        window.garbaCompiled += 1
        return Reflect.construct(compile, given)
      },
    })
  })

test('no page tries to compile text, which its policy forbids', async ({ page, server }) => {
  await (await server.api('guest')).buy(1)
  await countCompiled(page)
  for (const [role, path, shown] of [
    ['guest', '/dashboard/guest', 'article'],
    ['admin', '/dashboard/admin/tickets', 'table'],
    ['checker', '/dashboard/qrchecker', 'heading'],
  ] as const) {
    await restoreSession(page, role)
    await page.goto(path)
    await expect(page.getByRole(shown).first()).toBeVisible()
    expect(await page.evaluate(() => window.garbaCompiled), path).toBe(0)
  }
})
