import { HOUR_MS } from '@garba/shared/constants'
import { changeDevice, otherGateSends } from '../support/devices.ts'
import { changeEvent } from '../support/event.ts'
import { cutBefore, EVERYTHING, MARK } from '../support/faults.ts'
import { openPaired } from '../support/gate.ts'
import { putRows, queued } from '../support/scannerStore.ts'
import { LONG_NOTE, NAMES, type Scene, type Shot } from './scene.ts'

const AT_THE_DOOR = { PAYMENTS: 'desk' }
const SALES = '**/api/admin/orders'

async function seller({ page, server }: Scene, { float = true } = {}) {
  const device = { name: NAMES[0], rights: ['scan', 'sell', 'complimentary'] }
  const gate = await openPaired(page, server, device, { name: 'ધ્રુવીબેન' })
  await page.getByRole('button', { name: 'Sell tickets' }).click()
  await page.getByLabel('Cash you start with (₹)').waitFor()
  if (float) {
    await page.getByLabel('Cash you start with (₹)').fill('500')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByTestId('cash').waitFor()
  }
  return gate
}

async function stocked(scene: Scene, size: number) {
  const gate = await seller(scene)
  await scene.page.getByLabel('How many').fill(`${size}`)
  await scene.page.getByRole('button', { name: 'Take tickets' }).click()
  await scene.page
    .getByTestId('stock')
    .filter({ hasText: `${size}` })
    .waitFor()
  return gate
}

async function offline(scene: Scene, size: number) {
  await stocked(scene, size)
  await cutBefore(scene.page, EVERYTHING)
  const said = scene.page.getByText('Offline: selling')
  while (!(await said.isVisible())) {
    await scene.page.clock.fastForward(1_000)
    await scene.page.waitForTimeout(50)
  }
}

const sell = (scene: Scene) => scene.page.getByRole('button', { name: /^Take ₹/ }).click()
const quantity = (scene: Scene, count: number) => scene.page.getByRole('textbox', { name: 'People' }).fill(`${count}`)

async function counting(scene: Scene) {
  await seller(scene)
  await sell(scene)
  await scene.page.getByRole('heading', { name: /^Sold/ }).waitFor()
  await scene.page.getByRole('button', { name: 'Count and close' }).click()
  await scene.page.getByLabel('Counted (₹)').fill('780')
  await scene.page.getByLabel('Note (optional)').fill(LONG_NOTE)
}

const ended = async ({ page, server }: Scene, how: object) => {
  const gate = await openPaired(page, server)
  const tickets = await (await server.api('guest')).buy(2)
  await cutBefore(page, MARK)
  await putRows(
    page,
    'outbox',
    tickets.map((ticket) => queued(ticket, { deviceId: gate.id })),
  )
  await changeDevice(server, gate.id, how)
}

const atTheDoor = (open: Shot['open'], whole = true): Shot => ({ env: AT_THE_DOOR, whole, open })

export const SELLING: Record<string, Shot> = {
  'sale at the door, start': atTheDoor((scene) => seller(scene, { float: false })),
  'sale at the door, form': atTheDoor(async (scene) => {
    await seller(scene)
    await quantity(scene, 4)
  }),
  'sale at the door, free': atTheDoor(async (scene) => {
    await seller(scene)
    await scene.page.getByRole('button', { name: 'Free', exact: true }).click()
    await scene.page.getByRole('button', { name: /^Give/ }).click()
  }),
  'sale at the door, sold': atTheDoor(async (scene) => {
    await seller(scene)
    await sell(scene)
    await scene.page.getByRole('heading', { name: /^Sold/ }).waitFor()
  }),
  'sale at the door, offered to an account': atTheDoor(async (scene) => {
    await seller(scene)
    await scene.page.getByRole('checkbox', { name: 'Let them in now' }).uncheck()
    await sell(scene)
    await scene.page.getByRole('button', { name: 'Take along' }).first().click()
    await scene.page.getByRole('button', { name: 'Offer to an account' }).click()
    await scene.page.getByRole('img', { name: /QR code of an offer/ }).waitFor()
  }),
  'sale at the door, codes': atTheDoor(async (scene) => {
    await seller(scene)
    await quantity(scene, 3)
    await scene.page.getByRole('checkbox', { name: 'Let them in now' }).uncheck()
    await scene.page.getByLabel('Name (optional)').fill(NAMES[1] ?? '')
    await sell(scene)
    await scene.page.getByRole('button', { name: 'Show codes' }).click()
    await scene.page.getByRole('img', { name: /QR code of ticket/ }).waitFor()
  }, false),
  'sale at the door, rejected': atTheDoor(async (scene) => {
    await stocked(scene, 5)
    await changeEvent(await scene.server.api('admin'), { totalTickets: 5 })
    await quantity(scene, 2)
    await sell(scene)
    await scene.page.getByRole('alert').waitFor()
  }),
  'sale at the door, no answer': atTheDoor(async (scene) => {
    await stocked(scene, 5)
    await cutBefore(scene.page, SALES)
    await sell(scene)
    await scene.page.getByText('No answer came').waitFor()
  }),
  'sale at the door, offline with few': atTheDoor(async (scene) => {
    await offline(scene, 2)
    await sell(scene)
    await scene.page.getByRole('button', { name: 'Next sale' }).click()
    await quantity(scene, 4)
  }),
  'sale at the door, offline with none': atTheDoor(async (scene) => {
    await offline(scene, 1)
    await sell(scene)
    await scene.page.getByRole('button', { name: 'Next sale' }).click()
  }),
  'sale at the door, closing cash': atTheDoor(counting, false),
  'sale at the door, cash closed': atTheDoor(async (scene) => {
    await counting(scene)
    await scene.page.getByRole('button', { name: 'Close session' }).click()
    await scene.page.getByRole('button', { name: 'Done' }).waitFor()
  }, false),
  'scanner revoked': {
    open: async (scene) => {
      await ended(scene, { revoked: true })
      await scene.page.getByRole('heading', { name: 'This phone was disconnected' }).waitFor()
    },
  },
  'scanner near its end': {
    open: async ({ page, server }) => {
      await openPaired(page, server, { until: new Date(Date.now() + HOUR_MS / 4).toISOString() })
      await page.getByText(/Scans until/).waitFor()
    },
  },
  'scanner lapsed': {
    open: async ({ page, server }) => {
      const until = new Date(Date.now() + HOUR_MS).toISOString()
      await openPaired(page, server, { until })
      await cutBefore(page, EVERYTHING)
      await page.clock.fastForward(1.5 * HOUR_MS)
      await page.getByRole('heading', { name: 'This phone’s time is up' }).waitFor()
    },
  },
  'scanner unknown to the server': {
    open: async ({ page, server }) => {
      const { id } = await openPaired(page, server)
      await server.stop()
      server.change('delete from paired_devices where id = ?', id)
      await server.start()
      await page.reload()
      await page.getByRole('heading', { name: 'The server does not know this phone' }).waitFor()
    },
  },
  'scanner evening of a supervisor': {
    whole: true,
    open: async (scene) => {
      const { page, server } = scene
      const tickets = await (await server.api('guest')).buy(3)
      const gate = await openPaired(page, server, { name: NAMES[0], rights: ['scan', 'supervise'] })
      await gate.start()
      for (const { qrCode } of tickets.slice(0, 2)) await gate.scan(qrCode)
      await otherGateSends(server, tickets[0].qrCode)
      await page.getByRole('button', { name: 'Scanner menu' }).click()
      await page.getByRole('menuitem', { name: 'Evening' }).click()
      await page.getByRole('region', { name: 'Double admissions' }).getByRole('listitem').waitFor()
    },
  },
}
