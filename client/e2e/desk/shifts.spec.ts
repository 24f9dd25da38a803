import { HOMES, VIEWS } from '@garba/shared/contracts/site/pages'
import type { Request } from '@playwright/test'
import { changeEvent, runningNow } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import { restoreSession } from '../support/session.ts'
import { expectStill, watchShifts } from '../support/shifts.ts'

/** Every call but the streams, which do not end. */
const READS = /\/api\/(?!.*\/live)/

/** A manager's other views are parts of an admin's. */
const SHOWN = { admin: VIEWS.admin.filter((path) => !path.includes(':')), manager: ['users', 'money'] }

for (const width of [390, 1280])
  test(`nothing moves on the desk while its views load, ${width} px wide`, async ({ page, server }) => {
    await changeEvent(await server.api('admin'), runningNow())
    await (await server.api('guest')).buy(12)
    await page.setViewportSize({ width, height: 844 })
    // Each answer has its own time, as on a slow line.
    let asked = 0
    const open = new Set<Request>()
    await page.route(READS, async (route, request) => {
      open.add(request)
      await new Promise((resolve) => setTimeout(resolve, 100 + (asked++ % 5) * 60))
      await route.continue()
    })
    // The page before may have asked for more just before it was left.
    page.on('requestfailed', (request) => void open.delete(request))
    page.on('requestfinished', (request) => void open.delete(request))
    const shifts = await watchShifts(page)
    for (const role of ['admin', 'manager'] as const) {
      await restoreSession(page, role)
      for (const view of ['', ...SHOWN[role]]) {
        open.clear()
        await page.goto(`${HOMES[role]}/${view}`)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect.poll(() => open.size, { intervals: [300] }).toBe(0)
        await expectStill(shifts, { where: `${role}/${view}` })
      }
    }
  })
