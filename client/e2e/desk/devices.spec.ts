import { callApi } from '../support/api.ts'
import { choose, rows } from '../support/desk.ts'
import { spoil } from '../support/deskMoney.ts'
import { dayAhead } from '../support/event.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

const RIGHTS = ['scan', 'find', 'undo', 'sell']

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

async function openDevices(page: Page, search = '') {
  await restoreSession(page, 'admin')
  await page.goto(`/dashboard/admin/devices${search}`)
  await expect(page.getByRole('heading', { name: 'Devices', exact: true })).toBeVisible()
}

const saveGates = async (server: TestServer, ...names: string[]) =>
  expect(
    await (await server.api('admin')).call('saveGates', {
      body: { gates: names.map((name) => ({ name, kinds: [] })) },
    }),
  ).toMatchObject({ status: 200 })

async function prepare(server: TestServer, body: object) {
  const { body: made } = await (await server.api('admin')).call('createDevice', { body })
  return made as { device: { id: string }; pairing: { code: string } }
}

async function pair(server: TestServer, code: string) {
  const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
  const body = { code, publicKey: { kty, crv, x, y }, label: 'Chrome on Android' }
  expect(await callApi({ url: server.url, name: 'pairDevice', body })).toMatchObject({ status: 200 })
}

const menuOf = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: `More about ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a device is added, its phone pairs with the code on the screen, and the dialog shows it by itself', async ({
  page,
  server,
}) => {
  await saveGates(server, 'North', 'VIP', 'South')
  await openDevices(page)
  await expect(page.getByText('No devices yet')).toBeVisible()
  await page.getByRole('button', { name: 'Add a device' }).click()
  const form = dialog(page, 'Add a device')
  await expect(form.getByRole('button', { name: 'Show the code' })).toBeDisabled()
  await expect(form.getByText('Give the device a name.')).toBeVisible()
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('ઉત્તર દરવાજો')
  const gates = form.getByRole('group', { name: 'Gates' })
  await expect(gates.getByRole('checkbox')).toHaveCount(3)
  await gates.getByRole('checkbox', { name: 'South' }).check()
  await gates.getByRole('checkbox', { name: 'North' }).check()
  await expect(form.getByText('Give the device a name.')).toHaveCount(0)
  await expect(form.getByRole('button', { name: 'Checker' })).toHaveAttribute('aria-pressed', 'true')
  await form.getByRole('button', { name: 'Custom' }).click()
  await form.getByRole('checkbox', { name: 'Undo' }).click()
  await form.getByRole('button', { name: 'Show the code' }).click()
  const pairing = dialog(page, 'Pair ઉત્તર દરવાજો')
  await expect(pairing.getByRole('img', { name: 'Pairing code as QR' })).toBeVisible()
  await expect(pairing.getByRole('timer')).toHaveText(/^Works once, for another (10:00|9:\d\d)$/)
  const code = (await pairing.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/).textContent()) ?? ''
  await pair(server, code)
  await expect(pairing.getByText('The phone is ready: Chrome on Android.')).toBeVisible()
  await pairing.getByRole('button', { name: 'Done' }).click()
  const row = rows(page, 'Devices').filter({ hasText: 'ઉત્તર દરવાજો' })
  await expect(row).toContainText('Paired')
  await expect(row).toContainText('North, South')
  expect(server.rows('select gates, rights from paired_devices')).toEqual([
    { gates: '["North","South"]', rights: '["scan","find"]' },
  ])
})

test('saving another date says what moved with it, and the home names phones that end before the event does', async ({
  page,
  server,
}) => {
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await prepare(server, { name: 'Gate A', until })
  await prepare(server, { name: 'Gate B' })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await page.getByRole('button', { name: 'Edit Event Details' }).click()
  await page.getByLabel('Date', { exact: true }).fill(dayAhead(60))
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Moved with the event: 1 phone', { exact: true })).toBeVisible()
  await page.goto('/dashboard/admin')
  const line = page.getByRole('listitem').filter({ hasText: 'A phone ends before the event does: Gate A' })
  await line.getByRole('link', { name: 'Open devices' }).click()
  await menuOf(page, 'Gate A', 'Edit')
  await page.getByLabel('Until', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page, 'Edit device')).toHaveCount(0)
  expect(server.rows('select until from paired_devices')).toEqual([{ until: null }, { until: null }])
  await page.goto('/dashboard/admin')
  await expect(page.getByRole('list', { name: 'Getting ready' })).toBeVisible()
  await expect(page.getByText('ends before the event does')).toHaveCount(0)
})

test('a device that is edited keeps its end to the second, a gate that was taken away until it is unticked, and no right that was taken away meanwhile', async ({
  page,
  server,
}) => {
  const until = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 3_637_000).toISOString()
  const { device } = await prepare(server, { name: 'Phone 1', gates: ['West'], until, rights: RIGHTS })
  await saveGates(server, 'North')
  const now = () => ({
    device: server.rows('select name, gates, rights from paired_devices'),
    gates: server.rows('select name from gates order by place').map(({ name }) => name),
  })
  await openDevices(page)
  await menuOf(page, 'Phone 1', 'Edit')
  const form = dialog(page, 'Edit device')
  const save = async () => {
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toHaveCount(0)
  }
  const gone = form.getByRole('checkbox', { name: 'West (no longer a gate)' })
  await expect(gone).toBeChecked()
  await form.getByRole('checkbox', { name: 'North' }).check()
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Phone 2')
  await save()
  const rights = JSON.stringify(RIGHTS)
  expect(now()).toEqual({ device: [{ name: 'Phone 2', gates: '["North","West"]', rights }], gates: ['North'] })
  const { body } = await (await server.api('admin')).call('devices', {})
  expect(body).toMatchObject({ devices: [{ name: 'Phone 2', until }] })
  await menuOf(page, 'Phone 2', 'Edit')
  await gone.uncheck()
  await form.getByRole('checkbox', { name: 'North' }).uncheck()
  await save()
  expect(now()).toEqual({ device: [{ name: 'Phone 2', gates: '[]', rights }], gates: ['North'] })

  await menuOf(page, 'Phone 2', 'Edit')
  const other = await server.api('admin')
  const params = { id: device.id }
  expect(await other.call('changeDevice', { params, body: { rights: ['scan'], gates: ['North'] } })).toMatchObject({
    status: 200,
  })
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Phone 3')
  await save()
  expect(now().device).toEqual([{ name: 'Phone 3', rights: '["scan"]', gates: '["North"]' }])

  // A browser's field takes years of six digits.
  await menuOf(page, 'Phone 3', 'Edit')
  await form.getByLabel('Until', { exact: true }).fill('20255-09-22T23:00')
  await expect(form.getByText('Choose a time within ten years.')).toBeVisible()
  await form.getByLabel('Until', { exact: true }).fill('')
  await save()
  // Empty: with the event.
  expect(server.rows('select until from paired_devices')).toEqual([{ until: null }])
})

test('without gates the form leads to where they are made; a code that ran out, or that another admin replaced, is renewed in the same place', async ({
  page,
  server,
}) => {
  await openDevices(page)
  await page.getByRole('button', { name: 'Add a device' }).click()
  const gates = dialog(page, 'Add a device').getByRole('group', { name: 'Gates' })
  await expect(gates).toContainText('There are no gates yet, so this phone can be used anywhere.')
  await gates.getByRole('link', { name: 'Add gates in Evening' }).click()
  await expect(page).toHaveURL(/\/dashboard\/admin\/gate$/)
  await page.goBack()
  await page.getByRole('button', { name: 'Add a device' }).click()
  await dialog(page, 'Add a device').getByRole('textbox', { name: 'Name', exact: true }).fill('Gate A')
  await dialog(page, 'Add a device').getByRole('button', { name: 'Show the code' }).click()
  const pairing = dialog(page, 'Pair Gate A')
  const code = pairing.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
  const first = await code.textContent()
  const later = Date.now() + 601_000
  await page.clock.setFixedTime(later)
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { date: new Date(later).toUTCString() } })
  })
  await expect(pairing.getByText('This code has expired.')).toBeVisible()
  await expect(code).toHaveCount(0)
  // A desk whose clock is ahead shows codes too.
  await page.unrouteAll()
  await pairing.getByRole('button', { name: 'New code' }).click()
  await expect(code).toBeVisible()
  await expect(code).not.toHaveText(first ?? '')
  const [device = { id: '' }] = server.rows<{ id: string }>('select id from paired_devices')
  const change = async (body: object) =>
    (await server.api('admin')).call('changeDevice', { params: { id: device.id }, body })
  for (const body of [{ renewCode: true }, { revoked: true }]) {
    expect(await change(body)).toMatchObject({ status: 200 })
    await expect(pairing.getByText('This code has expired.')).toBeVisible()
    await expect(code).toHaveCount(0)
    await pairing.getByRole('button', { name: 'New code' }).click()
    if (body.renewCode) await expect(code).toBeVisible()
  }
  await expect(toastOf(page, /Failed to save the device/)).toBeVisible()
})

test.describe('with a paired phone', () => {
  test('it is edited, and revoked with plain words on what it can still do; one whose time is up can be renamed, and its end stays', async ({
    page,
    server,
  }) => {
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const { device, pairing } = await prepare(server, { name: 'Gate A', until })
    await pair(server, pairing.code)
    await openDevices(page)
    await menuOf(page, 'Gate A', 'Edit')
    const form = dialog(page, 'Edit device')
    await expect(form.getByLabel('Until')).not.toHaveValue('')
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Gate B')
    await form.getByRole('button', { name: 'Custom' }).click()
    await form.getByRole('checkbox', { name: 'Supervise' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(rows(page, 'Devices').filter({ hasText: 'Gate B' })).toContainText('Custom')
    await expect(toastOf(page, /./)).toHaveCount(0)
    expect(server.rows('select name, rights from paired_devices')).toEqual([
      { name: 'Gate B', rights: '["scan","find","undo","supervise"]' },
    ])
    for (const [role, rights] of [
      ['Seller', '["scan","find","undo","sell"]'],
      ['Supervisor', '["scan","find","undo","sell","complimentary","supervise"]'],
    ] as const) {
      await menuOf(page, 'Gate B', 'Edit')
      await form.getByRole('button', { name: role }).click()
      await expect(form.getByRole('checkbox')).toHaveCount(0)
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(rows(page, 'Devices').filter({ hasText: 'Gate B' })).toContainText(role)
      expect(server.rows('select rights from paired_devices')).toEqual([{ rights }])
    }
    await menuOf(page, 'Gate B', 'Revoke')
    const question = page.getByRole('alertdialog', { name: 'Revoke Gate B?' })
    await expect(question).toContainText(
      'If it is offline, it keeps letting people in until it is online again or its time runs out. The codes it scans until then count',
    )
    await question.getByRole('button', { name: 'Revoke' }).click()
    await expect(page.getByRole('columnheader', { name: 'Unsent scans' })).toBeVisible()
    const row = rows(page, 'Devices').filter({ hasText: 'Gate B' })
    await expect(row).toContainText(/Revoked.*may scan until/)
    await expect(toastOf(page, /./)).toHaveCount(0)
    await expect(
      page.getByText(/names on the tickets and the last 8 characters of their numbers\. It holds no emails/),
    ).toBeVisible()
    spoil(server, `update paired_devices set end_heard_at = 1 where id = '${device.id}'`)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(row).not.toContainText('may scan until')

    const { pairing: late } = await prepare(server, { name: 'Gate C', until })
    await pair(server, late.code)
    const ended = Date.UTC(2025, 8, 22, 20, 0, 30)
    spoil(server, `update paired_devices set until = ${ended} where name = 'Gate C'`)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await menuOf(page, 'Gate C', 'Edit')
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Gate D')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toHaveCount(0)
    expect(server.rows("select name, until from paired_devices where name in ('Gate C', 'Gate D')")).toEqual([
      { name: 'Gate D', until: ended },
    ])
  })

  test('a phone with an older version is marked, with what to do about it, on both pages', async ({ page, server }) => {
    const names = ['ઉત્તર દરવાજો', 'Gate B', 'Gate C']
    const { body } = await (await server.api('admin')).call('health')
    const versions = ['0.9.0', (body.data as { versions: { app: string } }).versions.app, null]
    for (const [at, name] of names.entries()) {
      const { device } = await prepare(server, { name })
      spoil(
        server,
        'insert into devices (id, name, checker_name, last_seen, unsent, app_version) values (?, ?, ?, ?, 0, ?)',
        device.id,
        name,
        'Ravi',
        Date.now(),
        versions[at],
      )
    }
    const cure = /1 phone runs an older version of the scanner\. To update a phone.*choose Update now/
    for (const path of ['devices', 'gate']) {
      await restoreSession(page, 'admin')
      await page.goto(`/dashboard/admin/${path}`)
      const row = rows(page, 'Devices').filter({ hasText: names[0] ?? '' })
      await expect(row.getByText('Older version 0.9.0')).toBeVisible()
      await expect(page.getByText(/^Older version/)).toHaveCount(1)
      await expect(page.getByText(cure)).toBeVisible()
    }
    spoil(server, 'update devices set app_version = null')
    await page.reload()
    await expect(rows(page, 'Devices')).toHaveCount(3)
    await expect(page.getByText(/older version/i)).toHaveCount(0)
  })

  test('all are revoked at once, and the address keeps the state that is shown', async ({ page, server }) => {
    await prepare(server, { name: 'Gate A' })
    await prepare(server, { name: 'Gate B' })
    await openDevices(page)
    await page.getByRole('button', { name: 'Revoke all' }).click()
    await page
      .getByRole('alertdialog', { name: 'Revoke 2 phones?' })
      .getByRole('button', { name: 'Revoke all' })
      .click()
    await expect(page.getByRole('button', { name: 'Revoke all' })).toHaveCount(0)
    await expect(toastOf(page, /./)).toHaveCount(0)
    await choose(page.getByRole('combobox', { name: 'State' }), 'Paired')
    await expect(page).toHaveURL(/\?state=paired$/)
    await expect(page.getByText('No device is in this state.')).toBeVisible()
    await page.goto('/dashboard/admin/devices?state=revoked')
    await expect(rows(page, 'Devices')).toHaveCount(2)
  })

  test('what it let in before its end is listed here and in Evening', async ({ page, server }) => {
    const [ticket] = await (await server.api('guest')).buy(1)
    const checker = await server.api('checker')
    const scan = { qrCode: ticket.qrCode, deviceName: 'North gate', scanId: crypto.randomUUID() }
    expect(await checker.call('markUsed', { body: scan })).toMatchObject({ status: 200 })
    spoil(server, `update scans set flag = 'revoked' where id = '${scan.scanId}'`)
    await openDevices(page)
    const sign = new RegExp(`${ticket.id.slice(-8)}, Admitted.*North gate.*Sent after the device was revoked`)
    await expect(rows(page, 'Admissions to look at')).toHaveText(sign)
    await page.goto('/dashboard/admin/gate')
    await expect(rows(page, 'Admissions to look at')).toHaveText(sign)
  })
})

test("an admin's own phone is paired in two taps, with every right; devices that cannot be loaded say why, and a manager has no such page", async ({
  page,
  server,
  browser,
}) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  await page.route('**/api/admin/devices', (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  )
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Devices' }).click()
  await expect(page.getByRole('button', { name: /Retry|Try again/ })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Pair this phone' }).click()
  await expect(page).toHaveURL(/\/dashboard\/qrchecker\/pair/)
  expect(server.rows('select name, rights from paired_devices')).toEqual([
    { name: "Asha Admin's phone", rights: '["scan","find","undo","sell","complimentary","supervise"]' },
  ])
  // A browser of the manager's own: a tab of the admin's may still store the admin's session.
  const desk = await (await browser.newContext()).newPage()
  await restoreSession(desk, 'manager')
  await desk.goto('/dashboard/manager/devices')
  await expect(desk).toHaveURL(/\/dashboard\/manager$/)
  await expect(desk.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Devices' })).toHaveCount(
    0,
  )
})
