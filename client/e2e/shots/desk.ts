import { closeEvent, endEvent } from '../support/event.ts'
import { DEMO_ACCOUNTS } from '../support/fixtures.ts'
import { restoreSession } from '../support/session.ts'
import { eachState, failing, goTo, holdClock, LONG, NAMES, type Scene, type Shot, stalled, visit } from './scene.ts'

const VIEWS = ['', '/tickets', '/users', '/analytics', '/event', '/audit', '/gate'] as const
const nameOf = (view: string) => view.slice(1) || 'home'

const eachView = (state: string, shotOf: (path: string) => Shot): Record<string, Shot> =>
  Object.fromEntries(VIEWS.map((view) => [`desk ${nameOf(view)}${state}`, shotOf(`/dashboard/admin${view}`)]))

/** One ticket of each state, for two people with long names. */
async function mixedTickets({ server }: Scene) {
  for (const [i, name] of NAMES.entries())
    await eachState(
      server,
      await (await server.apiAs({ ...LONG, uid: `${i}`, email: `${i}${LONG.email}`, name })).buy(3),
    )
}

async function openTickets(scene: Scene) {
  await goTo(scene, '/dashboard/admin/tickets', 'admin')
  await scene.page.getByText('1-20 of').waitFor()
}

const closedView = (view: string): Record<string, Shot> => ({
  [`desk ${view} of a closed event`]: {
    open: async (scene) => {
      await mixedTickets(scene)
      await goTo(scene, `/dashboard/admin/${view}?event=${await closeEvent(scene.server)}`, 'admin')
    },
  },
})

export const DESK: Record<string, Shot> = {
  ...eachView('', (path) => ({ data: 'big', open: visit(path, 'admin'), whole: path === '/dashboard/admin' })),
  ...eachView(' empty', (path) => ({ data: 'empty', open: visit(path, 'admin') })),
  ...eachView(' failed', (path) => ({
    open: async ({ page }) => {
      await restoreSession(page, 'admin')
      await failing(page)
      await page.goto(path)
      await page.getByRole('heading').first().waitFor()
    },
  })),
  'desk tickets loading': {
    open: async ({ page }) => {
      await restoreSession(page, 'admin')
      await stalled(page)
      await page.goto('/dashboard/admin/tickets')
      await page.getByRole('heading').first().waitFor()
    },
  },
  'desk tickets with long names': {
    open: async (scene) => {
      await mixedTickets(scene)
      await goTo(scene, '/dashboard/admin/tickets', 'admin')
      await scene.page.getByText(DEMO_ACCOUNTS.admin.name).first().waitFor()
    },
  },
  'desk users with long names': {
    open: async (scene) => {
      await mixedTickets(scene)
      await goTo(scene, '/dashboard/admin/users', 'admin')
    },
  },
  'desk tickets selected': {
    data: 'big',
    open: async (scene) => {
      await openTickets(scene)
      for (const at of [0, 2, 3])
        await scene.page
          .getByRole('checkbox', { name: /Select ticket/ })
          .nth(at)
          .check()
    },
  },
  'desk ticket menu': {
    data: 'big',
    open: async (scene) => {
      await openTickets(scene)
      await scene.page
        .getByRole('button', { name: /More about ticket/ })
        .nth(1)
        .click()
      await scene.page.getByRole('menu').waitFor()
    },
  },
  'desk ticket deletion, can undo': {
    data: 'big',
    open: async (scene) => {
      await scene.page.clock.install()
      await openTickets(scene)
      await scene.page
        .getByRole('button', { name: /Delete ticket/ })
        .nth(1)
        .click()
      await scene.page.getByRole('button', { name: 'Undo' }).waitFor()
      await holdClock(scene.page)
    },
  },
  'desk palette': {
    data: 'big',
    open: async (scene) => {
      await goTo(scene, '/dashboard/admin', 'admin')
      await scene.page.getByRole('button', { name: 'Find' }).click()
      await scene.page.getByRole('combobox').first().waitFor()
      await scene.page.keyboard.type('sejal')
      await scene.page.getByRole('option', { name: /Sejal/ }).first().waitFor()
    },
  },
  'desk role change': {
    data: 'big',
    open: async (scene) => {
      await goTo(scene, '/dashboard/admin/users', 'admin')
      await scene.page
        .getByRole('button', { name: /Change role/ })
        .nth(1)
        .click()
      await scene.page.getByRole('dialog').waitFor()
    },
  },
  'desk event form': {
    whole: true,
    open: async (scene) => {
      await goTo(scene, '/dashboard/admin/event', 'admin')
      await scene.page.getByRole('button', { name: 'Edit Event Details' }).click()
      await scene.page.getByLabel('Event name', { exact: true }).fill('')
      await scene.page.getByRole('button', { name: 'Save' }).click()
    },
  },
  'desk event closing': {
    open: async (scene) => {
      endEvent(scene.server)
      await goTo(scene, '/dashboard/admin/event', 'admin')
      await scene.page.getByRole('button', { name: 'Close Event' }).click()
      await scene.page.getByRole('alertdialog').waitFor()
    },
  },
  ...closedView('tickets'),
  ...closedView('analytics'),
  ...closedView('event'),
  ...closedView('gate'),
  'desk manager': { data: 'big', open: visit('/dashboard/manager', 'manager') },
}
