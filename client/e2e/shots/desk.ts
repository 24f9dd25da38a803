import { changeEvent, closeEvent, endEvent, runningNow, setEventState, spreadEvening } from '../support/event.ts'
import { restoreSession } from '../support/session.ts'
import { eachState, failing, goTo, holdClock, LONG, NAMES, type Scene, type Shot, stalled, visit } from './scene.ts'

const VIEWS = ['', '/tickets', '/orders', '/users', '/analytics', '/event', '/audit', '/gate'] as const
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

async function changeRole(scene: Scene) {
  await goTo(scene, '/dashboard/admin/users', 'admin')
  await scene.page
    .getByRole('button', { name: /Change role/ })
    .nth(1)
    .click()
  await scene.page.getByRole('dialog').waitFor()
}

/** The menu of the first long name, or what was chosen in it. */
async function personMenu(scene: Scene, item?: string) {
  await mixedTickets(scene)
  await scene.page.clock.install()
  await goTo(scene, '/dashboard/admin/users', 'admin')
  await scene.page.getByRole('button', { name: `More about ${NAMES[1]}` }).click()
  if (item === undefined) await scene.page.getByRole('menu').waitFor()
  else await scene.page.getByRole('menuitem', { name: item }).click()
}

/** Two gates with long names, and three people at one of them. */
async function someGates({ server }: Scene) {
  const gates = [
    { name: 'રિવરફ્રન્ટ ગ્રાઉન્ડ, ઉત્તર દરવાજો', kinds: [] },
    { name: 'VIP and guests of the committee', kinds: ['complimentary', 'paper'] },
  ]
  await (await server.api('admin')).call('saveGates', { body: { gates } })
  for (const { qrCode } of await (await server.api('guest')).buy(3))
    await (await server.api('checker')).call('markUsed', {
      body: { qrCode, scanId: crypto.randomUUID(), gate: gates[0]?.name },
    })
}

/** An hour and a half at three gates: some left, some were counted, codes were refused, and a phone has gone quiet. */
async function busyEvening(scene: Scene, path: string) {
  const { server } = scene
  const admin = await server.api('admin')
  await someGates(scene)
  await changeEvent(admin, { ...runningNow(), capacity: 1_200 })
  const checker = await server.api('checker')
  const gates = ['Gate 1', 'Gate 2', 'VIP and guests of the committee']
  const codes = (await Promise.all([...'abcdef'].map((name) => buyAs(server, name, name, 8)))).flat()
  const place = { deviceId: 'gate-2', deviceName: 'Phone at gate 2' }
  const rows = codes.flatMap(({ qrCode }, n) => [
    { scanId: crypto.randomUUID(), qrCode, admittedOffline: true, gate: gates[n % 3], manual: false, ...place },
    ...(n % 7 === 0 ? [{ scanId: crypto.randomUUID(), qrCode, movement: 'exit', gate: gates[1], ...place }] : []),
  ])
  const counted = { scanId: crypto.randomUUID(), movement: 'count', group: 'children', change: 12, gate: gates[0] }
  await checker.call('markUsedBatch', { body: { scans: [...rows, counted] } })
  await checker.call('verifyQr', { body: { qrCode: 'nonsense' } })
  await checker.call('roster', { query: { ...place, unsent: 12 } })
  spreadEvening(server)
  await goTo(scene, path, 'admin')
}

/** Three people came, one ticket was used at two gates, one phone has been quiet with scans to send. */
async function doubleAdmission(scene: Scene, path: string) {
  const { server, page } = scene
  await changeEvent(await server.api('admin'), runningNow())
  const tickets = (await Promise.all(NAMES.map(async (name, i) => buyAs(server, name, `${i}`)))).flat()
  const checker = await server.api('checker')
  const scan = async (ticket: { id: string } | undefined, gate: string) => {
    const device = { deviceId: gate, deviceName: `Gate ${gate}` }
    const at = { scannedAt: new Date().toISOString(), admittedOffline: true }
    const body = { ticketId: ticket?.id, manual: true, scanId: crypto.randomUUID(), ...device, ...at }
    const { status } = await checker.call('markUsed', { body })
    if (status !== 200) throw new Error(`The scan was refused with ${status}`)
  }
  for (const [ticket, gate] of [
    [tickets[0], 'A'],
    [tickets[2], 'A'],
    [tickets[0], 'B, at the car park behind the stage'],
  ] as const)
    await scan(ticket, gate)
  const oldestUnsent = new Date(Date.now() - 240_000).toISOString()
  await checker.call('roster', { query: { deviceId: 'C', deviceName: 'Gate C', unsent: 12, oldestUnsent } })
  await goTo(scene, path, 'admin')
  await page.getByTestId('people').waitFor()
}

const buyAs = async (server: Scene['server'], name: string, uid: string, quantity = 2) =>
  (await server.apiAs({ ...LONG, uid, email: `${uid}${LONG.email}`, name })).buy(quantity)

const closedView = (view: string): Record<string, Shot> => ({
  [`desk ${view} of a closed event`]: {
    open: async (scene) => {
      await mixedTickets(scene)
      await goTo(scene, `/dashboard/admin/${view}?event=${await closeEvent(scene.server)}`, 'admin')
    },
  },
})

async function onWall({ page }: Scene): Promise<void> {
  // In full screen Chromium keeps the window's size, and the pictures have five of them.
  await page.evaluate(() => Object.assign(document.documentElement, { requestFullscreen: () => Promise.reject() }))
  await page.getByRole('button', { name: 'Wall mode' }).click()
  await page.getByRole('region', { name: 'The evening on the wall' }).waitFor()
}

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
      await scene.page.getByRole('row').nth(3).waitFor()
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
  'desk list of statuses': {
    open: async (scene) => {
      await mixedTickets(scene)
      await goTo(scene, '/dashboard/admin/tickets', 'admin')
      await scene.page
        .getByRole('combobox', { name: /^Status of ticket/ })
        .first()
        .click()
      await scene.page.getByRole('listbox').waitFor()
    },
  },
  'desk list of filters': {
    open: async (scene) => {
      await goTo(scene, '/dashboard/admin/orders', 'admin')
      await scene.page.getByRole('search').getByRole('combobox').last().click()
      await scene.page.getByRole('listbox').waitFor()
    },
  },
  'desk role change, list': {
    data: 'big',
    open: async (scene) => {
      await changeRole(scene)
      await scene.page.getByRole('dialog').getByRole('combobox').click()
      await scene.page.getByRole('listbox').waitFor()
    },
  },
  'desk role change': { data: 'big', open: changeRole },
  'desk tickets, bulk update': {
    data: 'big',
    open: async (scene) => {
      await openTickets(scene)
      await scene.page.getByRole('checkbox', { name: /Select all/ }).check()
      await scene.page.getByRole('button', { name: 'Bulk update' }).click()
      await scene.page.getByRole('dialog').waitFor()
    },
  },
  'desk refunds due': {
    open: async (scene) => {
      await mixedTickets(scene)
      await goTo(scene, '/dashboard/admin/tickets?status=refund-due', 'admin')
    },
  },
  'desk person menu': { open: personMenu },
  'desk person exported': {
    open: async (scene) => {
      await personMenu(scene, 'Export their data')
      await scene.page.locator('[data-sonner-toast]').waitFor()
      await holdClock(scene.page)
    },
  },
  'desk person, erase?': {
    open: async (scene) => {
      await personMenu(scene, 'Erase person')
      await scene.page.getByRole('alertdialog').waitFor()
    },
  },
  'desk person not erased': {
    open: async (scene) => {
      await personMenu(scene, 'Erase person')
      await scene.page.getByRole('alertdialog').getByRole('button', { name: 'Erase person' }).click()
      await scene.page.locator('[data-sonner-toast]').waitFor()
      await holdClock(scene.page)
    },
  },
  'desk evening with a double admission': {
    open: (scene) => doubleAdmission(scene, '/dashboard/admin/gate'),
    whole: true,
  },
  'desk evening gates': {
    whole: true,
    open: async (scene) => {
      await someGates(scene)
      await goTo(scene, '/dashboard/admin/gate', 'admin')
      await scene.page.getByRole('table', { name: 'Gates' }).waitFor()
    },
  },
  'desk evening gates, edit': {
    open: async (scene) => {
      await someGates(scene)
      await goTo(scene, '/dashboard/admin/gate', 'admin')
      await scene.page.getByRole('button', { name: 'Edit gates' }).click()
      await scene.page.getByRole('textbox', { name: 'Gate 2' }).waitFor()
    },
  },
  'desk wall': {
    data: 'big',
    open: async (scene) => {
      await goTo(scene, '/dashboard/admin/gate', 'admin')
      await onWall(scene)
    },
  },
  'desk wall with gates and trouble': {
    open: async (scene) => {
      await someGates(scene)
      await doubleAdmission(scene, '/dashboard/admin/gate')
      await onWall(scene)
    },
  },
  'desk register': {
    whole: true,
    open: async (scene) => {
      await busyEvening(scene, '/dashboard/admin/gate')
      endEvent(scene.server)
      await goTo(scene, '/dashboard/admin/gate/register')
      await scene.page.getByRole('table', { name: 'By gate' }).waitFor()
    },
  },
  'desk evacuation sheet': {
    whole: true,
    open: async (scene) => {
      await busyEvening(scene, '/dashboard/admin/gate/evacuation')
      await scene.page.getByRole('table', { name: 'By gate' }).waitFor()
    },
  },
  'desk gate with people inside': {
    open: async (scene) => {
      await busyEvening(scene, '/dashboard/admin/gate')
      await scene.page.getByRole('link', { name: 'Evacuation' }).waitFor()
    },
  },
  'desk home weeks ahead': {
    whole: true,
    open: async (scene) => {
      await mixedTickets(scene)
      await goTo(scene, '/dashboard/admin', 'admin')
      await scene.page.getByRole('list', { name: 'Getting ready' }).waitFor()
    },
  },
  'desk home on the evening': { open: (scene) => doubleAdmission(scene, '/dashboard/admin') },
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
  'desk event calling off': {
    open: async (scene) => {
      await (await scene.server.api('guest')).buy(3)
      await goTo(scene, '/dashboard/admin/event', 'admin')
      await scene.page.getByRole('button', { name: 'Change…' }).click()
      await scene.page.getByRole('dialog').getByRole('button', { name: 'Call off' }).click()
    },
  },
  'desk event called off': {
    whole: true,
    open: async (scene) => {
      await (await scene.server.api('guest')).buy(3)
      await setEventState(await scene.server.api('admin'), { state: 'calledOff', now: true })
      await goTo(scene, '/dashboard/admin/event', 'admin')
      await scene.page.getByText('Left for you to give back').waitFor()
    },
  },
  'desk event saving': {
    open: async (scene) => {
      await goTo(scene, '/dashboard/admin/event', 'admin')
      await scene.page.getByRole('button', { name: 'Edit Event Details' }).click()
      await scene.page.getByLabel('Event name', { exact: true }).fill('Garba Rass 2026')
      await scene.page.getByRole('button', { name: 'Save' }).click()
      await scene.page.getByRole('alertdialog').waitFor()
    },
  },
  'desk event picture refused': {
    whole: true,
    open: async (scene) => {
      await goTo(scene, '/dashboard/admin/event', 'admin')
      await scene.page.getByRole('button', { name: 'Edit Event Details' }).click()
      const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') }
      await scene.page.getByLabel('Event image').setInputFiles(file)
      await scene.page.getByText('Please select a valid image file').waitFor()
    },
  },
  'desk event chooser': {
    open: async (scene) => {
      await mixedTickets(scene)
      const closed = await closeEvent(scene.server)
      await goTo(scene, `/dashboard/admin/tickets?event=${closed}`, 'admin')
      await scene.page.getByRole('combobox', { name: 'Event', exact: true }).click()
      await scene.page.getByRole('option').first().waitFor()
    },
  },
  ...closedView('tickets'),
  ...closedView('audit'),
  ...closedView('analytics'),
  ...closedView('event'),
  ...closedView('gate'),
  'desk mails none': { open: visit('/dashboard/admin/mails', 'admin') },
  'desk mails': {
    env: { PAYMENTS: 'upi,desk', UPI_ID: 'garba@bank', UPI_NAME: 'Garba' },
    open: async (scene) => {
      const admin = await scene.server.api('admin')
      await admin.call('openCashSession', { body: { float: 0 } })
      for (const [at, name] of NAMES.entries())
        await admin.call('sellAtDesk', {
          body: { quantity: at + 1, method: 'cash', name, email: `${at}${LONG.email}` },
          headers: { 'idempotency-key': crypto.randomUUID() },
        })
      await goTo(scene, '/dashboard/admin/mails', 'admin')
      // A mail is written after its sale was answered.
      const second = scene.page.getByRole('listitem').getByText(/^Your 2 tickets/)
      while (!(await second.isVisible())) {
        await scene.page.getByRole('button', { name: 'Refresh' }).click()
        await scene.page.waitForTimeout(200)
      }
    },
  },
  'desk access denied': {
    open: async (scene) => {
      await goTo(scene, '/dashboard/manager/users', 'manager')
      const { user } = await scene.server.api('manager')
      await (await scene.server.api('admin')).call('setRole', { params: { id: user._id }, body: { role: 'guest' } })
      await scene.page.getByRole('button', { name: 'Refresh' }).click()
      await scene.page.getByRole('heading', { name: 'Access Denied' }).waitFor()
    },
  },
  'desk manager users': { data: 'big', open: visit('/dashboard/manager/users', 'manager') },
  'desk manager': { data: 'big', open: visit('/dashboard/manager', 'manager') },
}
