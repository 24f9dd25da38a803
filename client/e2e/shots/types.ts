import { gu } from '../../src/scanner/texts/gu.ts'
import { hi } from '../../src/scanner/texts/hi.ts'
import { changeEvent } from '../support/event.ts'
import { Gate } from '../support/gate.ts'
import { restoreSession } from '../support/session.ts'
import { goTo, holdClock, LONG, NAMES, type Scene, type Shot } from './scene.ts'

const TYPES = [
  { name: { en: 'General', gu: 'સામાન્ય', hi: 'सामान्य' }, phases: [{ price: 200, sold: 40 }, { price: 300 }] },
  {
    name: { en: 'VIP', gu: 'વીઆઈપી', hi: 'वीआईपी' },
    seats: 20,
    phases: [{ price: 1_000, groupPrice: 900 }],
  },
  {
    name: { en: 'Student', gu: 'વિદ્યાર્થી', hi: 'विद्यार्थी' },
    note: 'ask for the id card',
    phases: [{ price: 150 }],
  },
  {
    name: { en: 'Navratri season pass with dinner, front', gu: 'રાત્રિભોજન સાથેનો નવરાત્રિ સીઝન પાસ, આગળ' },
    note: 'only through gate B, and give them the green wristband and the dinner coupon',
    hidden: true,
    phases: [{ price: 4_500 }],
  },
]
const texts = { gu, hi }
const CODES = [
  { code: 'FRIENDS20', kind: 'percent', value: 20, tickets: 50, perPerson: 4, note: 'For the drummers' },
  { code: 'Mahila Mandal 2025 Vadodara', kind: 'amount', value: 99.5, note: NAMES[0] },
  { code: 'CREW', kind: 'access' },
  { code: 'EARLY', kind: 'percent', value: 10, tickets: 2, note: '' },
] as const

/** Tickets of four types, bought with two codes; resolves with the types' ids. */
export async function sellTypes({ server }: Scene): Promise<string[]> {
  const admin = await server.api('admin')
  await changeEvent(admin, { types: TYPES })
  const { types } = (await admin.call('deskTypes')).body as { types: { id: string }[] }
  const ids = types.map(({ id }) => id)
  for (const [at, code] of CODES.entries())
    await admin.call('makePromoCode', { body: { ...code, types: at === 0 ? [ids[1], ids[2]] : null } })
  const sales = [
    { lines: [1, 2, 1].map((quantity, at) => ({ type: ids[at], quantity })), code: 'friends20' },
    {
      lines: [
        { type: ids[3], quantity: 1 },
        { type: ids[0], quantity: 2 },
      ],
      code: 'crew',
    },
    { lines: [{ type: ids[0], quantity: 2 }], code: 'early' },
  ]
  for (const [at, body] of sales.entries()) {
    const buyer = { ...LONG, uid: `types ${at}`, email: `types${at}.${LONG.email}`, name: NAMES[at % 2] ?? '' }
    const sold = await (await server.apiAs(buyer)).call('buyTickets', {
      body,
      headers: { 'Idempotency-Key': crypto.randomUUID() },
    })
    if (sold.status !== 201) throw new Error(`Nothing was sold: ${JSON.stringify(sold.body)}`)
  }
  return ids
}

/** The verdict on one ticket of each type, from the last: long, student, VIP, general. */
const verdictOn =
  (type: number, language?: 'gu' | 'hi'): Shot['open'] =>
  async (scene) => {
    const ids = await sellTypes(scene)
    const gate = await openGate(scene, language)
    await gate.camera.showCode((await ticketOf(scene, ids[type] ?? '')).qrCode)
    await gate.verdict.waitFor()
    await holdClock(scene.page)
  }

async function openGate({ page }: Scene, language?: 'gu' | 'hi'): Promise<Gate> {
  if (language) await page.addInitScript((kept) => localStorage.setItem('garba.language', kept), language)
  const gate = await Gate.on(page)
  await restoreSession(page, 'checker')
  await page.goto('/dashboard/qrchecker')
  const start = language === undefined ? 'Start Scanner' : texts[language].SCANNER.start
  await page.getByRole('button', { name: start }).click()
  await page.locator('[data-camera="scanning"]').waitFor()
  return gate
}

async function ticketOf({ server }: Scene, type: string): Promise<{ id: string; qrCode: string }> {
  const { body } = await (await server.api('admin')).call('ticketManagement', { query: { type } })
  const [ticket] = body.tickets as { id: string; qrCode: string }[]
  if (!ticket) throw new Error('There is no ticket of this type')
  return ticket
}

const groupOfTypes =
  (language?: 'gu' | 'hi'): Shot['open'] =>
  async (scene) => {
    await sellTypes(scene)
    const buyer = { ...LONG, uid: 'types 0', email: `types0.${LONG.email}`, name: NAMES[0] ?? '' }
    const { body } = await (await scene.server.apiAs(buyer)).call('groupCodes')
    const gate = await openGate(scene, language)
    await gate.camera.showCode((body.groups as { qrCode: string }[])[0]?.qrCode ?? '')
    await scene.page.getByRole('dialog').waitFor()
  }

const visitSold =
  (path: string): Shot['open'] =>
  async (scene) => {
    await sellTypes(scene)
    await goTo(scene, path, 'admin')
    await scene.page.getByRole('main').getByText('VIP').first().waitFor()
  }

export const TYPE_SHOTS: Record<string, Shot> = {
  'scanner lets in a VIP': { open: verdictOn(1) },
  'scanner lets in a student': { open: verdictOn(2) },
  'scanner lets in a student in Gujarati': { open: verdictOn(2, 'gu') },
  'scanner lets in a student in Hindi': { open: verdictOn(2, 'hi') },
  'scanner lets in a type with a long name': { open: verdictOn(3) },
  'scanner lets in a type with a long name in Gujarati': { open: verdictOn(3, 'gu') },
  'large scanner lets in a type with a long name': { open: verdictOn(3), text: 200, widths: [360] },
  'scanner refuses a used student': {
    open: async (scene) => {
      const ids = await sellTypes(scene)
      const { id, qrCode } = await ticketOf(scene, ids[2] ?? '')
      await (await scene.server.api('admin')).call('setTicketStatus', { params: { id }, body: { status: 'used' } })
      const gate = await openGate(scene)
      await gate.camera.showCode(qrCode)
      await gate.verdict.waitFor()
      await holdClock(scene.page)
    },
  },
  'scanner reads a group of several types': { open: groupOfTypes() },
  'scanner reads a group of several types in Hindi': { open: groupOfTypes('hi') },
  'desk gates of types, edit': {
    open: async (scene) => {
      const types = (await sellTypes(scene)).slice(1, 3)
      const gates = [
        { name: NAMES[0], kinds: [], types },
        { name: 'North', kinds: ['online'] },
      ]
      await (await scene.server.api('admin')).call('saveGates', { body: { gates } })
      await goTo(scene, '/dashboard/admin/gate', 'admin')
      await scene.page.getByRole('button', { name: 'Edit gates' }).click()
      await scene.page.getByRole('textbox', { name: 'Gate 2' }).waitFor()
    },
  },
  'desk codes': { open: visitSold('/dashboard/admin/event/codes'), whole: true },
  'desk without codes': {
    open: async (scene) => {
      await goTo(scene, '/dashboard/admin/event/codes', 'admin')
      await scene.page.getByText('No promo codes').waitFor()
    },
  },
  'desk making a code': {
    open: async (scene) => {
      await visitSold('/dashboard/admin/event/codes')(scene)
      await scene.page.getByRole('button', { name: 'Make a code' }).click()
      await scene.page.getByRole('dialog').waitFor()
    },
  },
  'desk selling a type': {
    open: async (scene) => {
      const [, vip] = await sellTypes(scene)
      await (await scene.server.api('admin')).call('makeBlock', { body: { label: NAMES[0], size: 10, type: vip } })
      await goTo(scene, '/dashboard/admin/orders/sell', 'admin')
      await scene.page.getByText('10 left').first().waitFor()
    },
    whole: true,
  },
  'desk tickets of several types': { open: visitSold('/dashboard/admin/tickets') },
  'desk orders of several types': { open: visitSold('/dashboard/admin/orders') },
  'desk analytics of several types': { open: visitSold('/dashboard/admin/analytics'), whole: true },
  'desk event with several types': { open: visitSold('/dashboard/admin/event'), whole: true },
  'desk editing types': {
    open: async (scene) => {
      await visitSold('/dashboard/admin/event')(scene)
      await scene.page.getByRole('button', { name: 'Edit ticket types' }).click()
      await scene.page.getByRole('group', { name: 'VIP' }).waitFor()
    },
    whole: true,
  },
}
