import { PAIR_PAGE } from '@garba/shared/contracts/site/pages'
import { gu } from '../../src/scanner/texts/gu.ts'
import { hi } from '../../src/scanner/texts/hi.ts'
import { prepareDevice } from '../support/devices.ts'
import { changeEvent } from '../support/event.ts'
import { cutBefore, EVERYTHING } from '../support/faults.ts'
import type { Page } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { asInstalledApp } from '../support/pwa.ts'
import { putRows, queued } from '../support/scannerStore.ts'
import { restoreSession } from '../support/session.ts'
import { holdClock, LONG, NAMES, type Scene, type Shot, visit } from './scene.ts'

async function running({ page }: Scene, ...[setup]: [Parameters<typeof Gate.open>[1]?]): Promise<Gate> {
  const gate = await Gate.open(page, setup)
  await gate.start()
  return gate
}

/** Each name has an account of its own: the emulator keeps the first name of an account for all pictures of a run. */
const ticketsFor = async ({ server }: Scene, name: string, quantity = 1) =>
  (await server.apiAs({ uid: `holder ${name}`, email: `${name.length}.${LONG.email}`, name })).buy<number>(quantity)

async function showing(gate: Gate, code: string | undefined) {
  await gate.camera.showCode(code ?? '')
  await gate.verdict.waitFor()
  await holdClock(gate.page)
}

const speak = (page: Page, language: string) =>
  page.addInitScript((kept) => localStorage.setItem('garba.language', kept), language)

const PHONES = [360, 390, 768]

/** What the scanner says at arm's length, in another language and about a long name. */
function inLanguage(as: string, language: 'gu' | 'hi', texts: typeof gu | typeof hi): Record<string, Shot> {
  const scanning = async ({ page }: Scene) => {
    await speak(page, language)
    const gate = await Gate.on(page)
    await restoreSession(page, 'checker')
    await page.goto('/dashboard/qrchecker')
    await page.getByRole('button', { name: texts.SCANNER.start }).click()
    await page.locator('[data-camera="scanning"]').waitFor()
    return gate
  }
  const verdict = (name: string | undefined, prepare?: (scene: Scene, id: string) => Promise<unknown>): Shot => ({
    widths: PHONES,
    open: async (scene) => {
      const [ticket] = await ticketsFor(scene, name ?? '')
      const gate = await scanning(scene)
      await prepare?.(scene, ticket?.id ?? '')
      await showing(gate, ticket?.qrCode)
    },
  })
  return {
    [`scanner running in ${as}`]: { widths: PHONES, open: scanning },
    [`scanner lets in, in ${as}`]: verdict(NAMES[0]),
    [`scanner lets in, pending in ${as}`]: verdict(NAMES[1], ({ page }) => cutBefore(page, EVERYTHING)),
    [`scanner refuses a used ticket in ${as}`]: verdict(NAMES[0], async ({ server }, id) =>
      (await server.api('admin')).call('setTicketStatus', { params: { id }, body: { status: 'used' } }),
    ),
    [`scanner readiness in ${as}`]: {
      widths: PHONES,
      whole: true,
      open: async (scene) => {
        await speak(scene.page, language)
        await visit('/dashboard/qrchecker/readiness', 'checker')(scene)
      },
    },
    [`scanner asks who is scanning in ${as}`]: {
      widths: PHONES,
      open: async ({ page, server }) => {
        await speak(page, language)
        const { code } = await prepareDevice(server, { rights: ['scan'] })
        await page.goto(`${PAIR_PAGE}#${code}`)
        await page.getByRole('heading', { name: texts.SHIFT.title }).waitFor()
      },
    },
    [`scanner pairs in ${as}`]: {
      widths: PHONES,
      open: async (scene) => {
        await speak(scene.page, language)
        await visit(PAIR_PAGE)(scene)
      },
    },
  }
}

async function withoutCamera({ page }: Scene, setup: Parameters<typeof Gate.open>[1]) {
  await Gate.open(page, setup)
  await page.getByRole('button', { name: 'Start Scanner' }).click()
  await page.getByRole('button', { name: 'Retry' }).waitFor()
}

/** A group code of people who have long names; one is inside, one has cancelled. */
async function groupInView(scene: Scene, gate: Gate): Promise<void> {
  const guest = await scene.server.apiAs({ ...LONG, uid: 'group', email: `group.${LONG.email}`, name: NAMES[0] ?? '' })
  const admin = await scene.server.api('admin')
  const tickets = await guest.buy<number>(6)
  for (const [index, { id }] of tickets.entries())
    await guest.call('nameTicket', { params: { id }, body: { name: NAMES[index % NAMES.length] } })
  const { body } = await guest.call('groupCodes')
  for (const [index, status] of ['used', 'cancelled'].entries())
    await admin.call('setTicketStatus', { params: { id: tickets[index]?.id ?? '' }, body: { status } })
  const [group] = body.groups as { qrCode: string }[]
  await gate.camera.showCode(group?.qrCode ?? '')
  await scene.page.getByRole('dialog').waitFor()
}

/** Offline with scans that need attention, and a double admission to read. */
async function troubledEvening(scene: Scene): Promise<Gate> {
  const { page } = scene
  const tickets = await ticketsFor(scene, NAMES[0] ?? '', 2)
  const gate = await Gate.open(page)
  await cutBefore(page, EVERYTHING)
  const at = new Date().toISOString()
  const side = { at, checkerName: 'Chetan Checker', deviceId: 'b', deviceName: 'Gate B' }
  const conflict = { id: 'c', ticketId: tickets[0]?.id, name: NAMES[0], over: 'used', first: side, second: side }
  await putRows(page, 'conflicts', [{ ...conflict, heardAt: at, acknowledgedAt: null }])
  const parked = { code: 'VALIDATION', message: 'Not a scan', at }
  const scannedAt = new Date(Date.now() - 47 * 60_000).toISOString()
  const rows = tickets.map((ticket, i) =>
    queued(ticket, { scannedAt, name: NAMES[i], parked: i === 0 ? parked : null }),
  )
  await putRows(page, 'outbox', rows)
  await page.reload()
  await gate.says(/Offline.*2 unsent/)
  return gate
}

/** A gate that lets people out and back in, with somebody inside and a ground that is nearly full. */
async function inMode(scene: Scene, mode: 'Exit' | 'Count') {
  await changeEvent(await scene.server.api('admin'), { reentry: 'open', totalTickets: 10, capacity: 10 })
  const [ticket] = await ticketsFor(scene, NAMES[0] ?? '')
  const gate = await running(scene)
  await gate.scan(ticket?.qrCode ?? '')
  await scene.page.getByRole('button', { name: mode, exact: true }).click()
  return { gate, qrCode: ticket?.qrCode }
}

export const SCANNER: Record<string, Shot> = {
  'scanner at an exit': { open: (scene) => inMode(scene, 'Exit') },
  'scanner lets out': {
    open: async (scene) => {
      const { gate, qrCode } = await inMode(scene, 'Exit')
      await showing(gate, qrCode)
    },
  },
  'scanner counts without codes': {
    open: async (scene) => {
      await inMode(scene, 'Count')
      const more = scene.page.getByRole('button', { name: 'One more: Children under 5' })
      for (let taps = 0; taps < 8; taps++) await more.click()
    },
  },
  ...inLanguage('Gujarati', 'gu', gu),
  ...inLanguage('Hindi', 'hi', hi),
  'scanner practises': {
    widths: PHONES,
    open: async (scene) => {
      const [ticket] = await ticketsFor(scene, NAMES[1] ?? '')
      const gate = await running(scene)
      await scene.page.getByRole('button', { name: 'Practise' }).click()
      await showing(gate, ticket?.qrCode)
    },
  },
  'scanner has no recent scans': {
    widths: PHONES,
    open: async ({ page }) => {
      await Gate.open(page)
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('button', { name: 'Recent Scans' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'scanner ready': { open: ({ page }) => Gate.open(page) },
  'scanner running': { open: (scene) => running(scene, { torch: true, zoom: true }) },
  'scanner with unsent scans': {
    open: async (scene) => {
      const tickets = await ticketsFor(scene, NAMES[1] ?? '', 3)
      const gate = await running(scene)
      await cutBefore(scene.page, EVERYTHING)
      for (const ticket of tickets) await gate.scan(ticket?.qrCode ?? '')
      await gate.says(/Offline.*3 unsent/)
    },
  },
  'scanner lets in': {
    open: async (scene) => {
      const [ticket] = await ticketsFor(scene, NAMES[0] ?? '')
      await showing(await running(scene), ticket?.qrCode)
    },
  },
  'scanner lets in, pending': {
    open: async (scene) => {
      const [ticket] = await ticketsFor(scene, NAMES[1] ?? '')
      const gate = await running(scene)
      await cutBefore(scene.page, EVERYTHING)
      await showing(gate, ticket?.qrCode)
    },
  },
  'scanner has let in, can undo': {
    open: async (scene) => {
      const [ticket] = await ticketsFor(scene, NAMES[1] ?? '')
      await (await running(scene)).scan(ticket?.qrCode ?? '')
    },
  },
  'scanner refuses': { open: async (scene) => showing(await running(scene), 'https://example.org/') },
  'scanner refuses a used ticket': {
    open: async (scene) => {
      const [ticket] = await ticketsFor(scene, NAMES[0] ?? '')
      const admin = await scene.server.api('admin')
      await admin.call('setTicketStatus', { params: { id: ticket?.id ?? '' }, body: { status: 'used' } })
      await showing(await running(scene), ticket?.qrCode)
    },
  },
  'scanner reads a group': {
    open: async (scene) => {
      await groupInView(scene, await running(scene))
    },
  },
  'scanner lets a group in': {
    open: async (scene) => {
      const gate = await running(scene)
      await groupInView(scene, gate)
      await scene.page.getByRole('button', { name: /^Let all/ }).click()
      await gate.verdict.waitFor()
      await holdClock(scene.page)
    },
  },
  'scanner finds by name': {
    open: async (scene) => {
      await ticketsFor(scene, NAMES[1] ?? '', 3)
      await Gate.open(scene.page)
      await scene.page.getByRole('button', { name: 'Find by name or code' }).click()
      await scene.page.getByRole('textbox').fill('dharmesh')
      await scene.page.getByRole('dialog').getByRole('listitem').first().waitFor()
    },
  },
  'scanner camera blocked': { open: (scene) => withoutCamera(scene, { failure: 'NotAllowedError' }) },
  'scanner camera in use': { open: (scene) => withoutCamera(scene, { failure: 'NotReadableError' }) },
  'scanner camera not found': { open: (scene) => withoutCamera(scene, { labels: [] }) },
  'scanner camera unplugged': {
    open: async (scene) => {
      const gate = await running(scene)
      await scene.page.evaluate(() => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'))
        navigator.mediaDevices.enumerateDevices = async () => []
      })
      await gate.camera.cutOff()
      await scene.page.getByRole('heading', { name: 'unplugged' }).waitFor()
    },
  },
  'scanner camera timed out': {
    open: async ({ page }) => {
      await Gate.open(page)
      await page.evaluate(() => {
        navigator.mediaDevices.getUserMedia = () => new Promise(() => undefined)
      })
      await page.getByRole('button', { name: 'Start Scanner' }).click()
      await page.clock.runFor(40_000)
      await page.getByRole('button', { name: 'Reload' }).waitFor()
    },
  },
  'scanner readiness': { open: visit('/dashboard/qrchecker/readiness', 'checker'), whole: true },
  'scanner readiness, checked': {
    whole: true,
    open: async ({ page }) => {
      await Gate.open(page, { torch: true })
      await page.goto('/dashboard/qrchecker/readiness')
      await page.getByRole('button', { name: 'Run all checks' }).click()
      await page.getByRole('button', { name: 'Run all checks', disabled: false }).waitFor()
    },
  },
  'scanner menu': {
    open: async ({ page }) => {
      await Gate.open(page)
      await page.getByRole('button', { name: 'Scanner menu' }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  'scanner names the device': {
    open: async ({ page }) => {
      await Gate.open(page)
      await page.getByRole('button', { name: 'Scanner menu' }).click()
      await page.getByRole('menuitem', { name: 'Name this device' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'scanner test code': { open: visit('/dashboard/qrchecker/test-code', 'checker') },
  'scanner zoom': {
    open: async (scene) => {
      await running(scene, { torch: true, zoom: true })
      await scene.page.getByRole('button', { name: /^Zoom/ }).click()
      await scene.page.getByRole('slider', { name: 'Zoom' }).waitFor()
    },
  },
  'scanner recent scans': {
    open: async (scene) => {
      const [used, other] = await ticketsFor(scene, NAMES[1] ?? '', 2)
      const gate = await running(scene)
      for (const code of [used?.qrCode, used?.qrCode, 'https://example.org/', other?.qrCode])
        await gate.scan(code ?? '')
      // Wide screens show the list beside the picture.
      await scene.page.setViewportSize({ width: 390, height: 844 })
      await scene.page.getByRole('button', { name: 'Recent Scans' }).click()
      await scene.page.getByRole('dialog').waitFor()
    },
  },
  'scanner double admission': {
    open: async (scene) => {
      await troubledEvening(scene)
      await scene.page.getByRole('dialog').waitFor()
    },
  },
  'scanner scans to send': {
    open: async (scene) => {
      const gate = await troubledEvening(scene)
      await scene.page.getByRole('dialog').waitFor()
      await scene.page.keyboard.press('Escape')
      await gate.status.getByRole('button', { name: /unsent/ }).click()
      await scene.page.getByRole('dialog', { name: 'Scans to send' }).waitFor()
    },
  },
  'scanner leaving with unsent scans': {
    open: async (scene) => {
      await troubledEvening(scene)
      await scene.page.getByRole('dialog').waitFor()
      await scene.page.keyboard.press('Escape')
      await scene.page.getByRole('button', { name: 'Scanner menu' }).click()
      await scene.page.getByRole('menuitem', { name: 'Sign Out' }).click()
      await scene.page.getByRole('alertdialog').waitFor()
    },
  },
  'scanner signed out, installed': {
    open: async ({ page }) => {
      await asInstalledApp(page)
      await page.goto('/dashboard/qrchecker')
      await page.getByRole('button', { name: 'Sign In with Google' }).waitFor()
    },
  },
}
