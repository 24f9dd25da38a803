import { MINUTE_MS } from '@garba/shared/constants'
import { spoil } from '../support/deskMoney.ts'
import { changeDevice, prepareDevice } from '../support/devices.ts'
import { goTo, NAMES, type Scene, type Shot, visit } from './scene.ts'

const DEVICES = '/dashboard/admin/devices'
const GATES = ['રિવરફ્રન્ટ ગ્રાઉન્ડ, ઉત્તર દરવાજો', 'VIP and guests of the committee', 'East', 'West']

const saveGates = async ({ server }: Scene) =>
  (await server.api('admin')).call('saveGates', { body: { gates: GATES.map((name) => ({ name, kinds: [] })) } })

/** Phones of each state: waiting, paired, with scans to send, of an older version, over and revoked. */
async function phones(scene: Scene, count: number): Promise<void> {
  const { server } = scene
  await saveGates(scene)
  for (let at = 0; at < count; at++) {
    const name = at < 2 ? `${NAMES[at]}, ${at + 1}`.slice(0, 40) : `Gate ${at + 1}`
    const { id } = await prepareDevice(server, { name, gates: GATES.slice(0, at % 3) })
    if (at % 5 === 4) continue
    const pair = "update paired_devices set public_key = '{}', label = ?, shift_name = ?, code_used_at = 1 where id = ?"
    spoil(server, pair, 'Chrome on Android', at % 2 === 0 ? 'ધ્રુવીબેન' : 'Ravi', id)
    spoil(
      server,
      `insert into devices (id, name, checker_name, last_seen, unsent, oldest_unsent, roster_revision, app_version)
       values (?, ?, ?, ?, ?, ?, 1, ?)`,
      id,
      name,
      at % 2 === 0 ? 'ધ્રુવીબેન' : 'Ravi',
      Date.now() - (at % 4) * 4 * MINUTE_MS,
      at % 3 === 0 ? 12 : 0,
      at % 3 === 0 ? Date.now() - 9 * MINUTE_MS : null,
      at % 2 === 0 ? '1.0.0+4f9c2ab' : null,
    )
    if (at % 7 === 2) spoil(server, 'update paired_devices set until = ? where id = ?', Date.now() - MINUTE_MS, id)
    if (at % 7 === 3) await changeDevice(server, id, { revoked: true })
  }
}

async function withForm(scene: Scene) {
  await goTo(scene, DEVICES, 'admin')
  await scene.page.getByRole('button', { name: 'Add a device' }).click()
  await scene.page
    .getByRole('dialog')
    .getByRole('textbox', { name: 'Name', exact: true })
    .fill((NAMES[0] ?? '').slice(0, 40))
}

/** So many phones, on the page at this address. */
const listed = (count: number, path: string): Shot => ({
  whole: true,
  open: async (scene) => {
    await phones(scene, count)
    await goTo(scene, path, 'admin')
    await scene.page
      .getByText(/^Older version/)
      .first()
      .waitFor()
  },
})

export const DEVICE_SHOTS: Record<string, Shot> = {
  'devices none': { open: visit(DEVICES, 'admin') },
  'devices some': listed(6, DEVICES),
  'devices many': listed(40, DEVICES),
  'devices in the evening': listed(6, '/dashboard/admin/gate'),
  'devices form without gates': { open: withForm },
  'devices form with gates picked': {
    open: async (scene) => {
      await saveGates(scene)
      await withForm(scene)
      const gates = scene.page.getByRole('group', { name: 'Gates' })
      for (const name of GATES.slice(0, 3)) await gates.getByRole('checkbox', { name }).check()
    },
  },
  'devices code to pair': {
    open: async (scene) => {
      await withForm(scene)
      await scene.page.getByRole('button', { name: 'Show the code' }).click()
      await scene.page.getByRole('img', { name: 'Pairing code as QR' }).waitFor()
    },
  },
}
