import { hasLinkSecret, readPairingCode } from '@garba/shared/rules/phones/pairingCode'
import {
  changeDevice,
  changeGate,
  changeShift,
  readGates,
  revokeAllDevices,
  saveGates,
} from '../../flows/phones/changeDevice.ts'
import { listDeskDevices, ownDeviceView } from '../../flows/phones/deviceViews.ts'
import { createDevice, pairDevice } from '../../flows/phones/pairDevice.ts'
import { addServerTime, getClientAddress } from '../context.ts'
import { getAddressKey } from '../limits.ts'
import type { Routes } from '../mount.ts'

/** Mistyped codes are also counted over all addresses, because the codes are short. */
const EVERYONE = 'all'

export const phoneRoutes = {
  createDevice: ({ deps, user, body }) => createDevice(deps, { ...body, by: user }),
  devices: ({ deps }) => listDeskDevices(deps),
  changeDevice: ({ deps, user, body, params }) => changeDevice(deps, { ...body, admin: user, ...params }),
  revokeAllDevices: async ({ deps, user }) => ({ revoked: await revokeAllDevices(deps, user) }),
  pairDevice: async ({ deps, limits, body, c }) => {
    const address = getAddressKey(getClientAddress(c, deps.settings.trustedProxies))
    // A link's secret cannot be guessed, so codes mistyped at the same address never block it.
    const counts = !hasLinkSecret(readPairingCode(body.code) ?? '')
    // Counted before the answer, so that parallel attempts count too, and forgiven if the code was right.
    if (counts) {
      await limits.count('pairing', address)
      await limits.count('pairingAll', EVERYONE)
    }
    const device = await pairDevice(deps, body)
    if (counts) {
      await limits.forgive('pairing', address)
      await limits.forgive('pairingAll', EVERYONE)
    }
    return addServerTime(deps, { device })
  },
  ownDevice: ({ deps, user }) => addServerTime(deps, { device: ownDeviceView(user.device) }),
  changeShift: async ({ deps, user, body }) =>
    addServerTime(deps, { device: await changeShift(deps, { caller: user, name: body.name }) }),
  gates: async ({ deps }) => readGates(deps),
  changeGate: async ({ deps, user, body }) =>
    addServerTime(deps, { device: await changeGate(deps, { caller: user, gate: body.gate }) }),
  saveGates: async ({ deps, user, body }) => saveGates(deps, { admin: user, gates: body.gates }),
} satisfies Routes
