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
import { addServerTime } from '../context.ts'
import { limitPairing } from '../limits.ts'
import type { Routes } from '../mount.ts'

export const phoneRoutes = {
  createDevice: ({ deps, user, body }) => createDevice(deps, { ...body, by: user }),
  devices: ({ deps }) => listDeskDevices(deps),
  changeDevice: ({ deps, user, body, params }) => changeDevice(deps, { ...body, admin: user, ...params }),
  revokeAllDevices: async ({ deps, user }) => ({ revoked: await revokeAllDevices(deps, user) }),
  pairDevice: async ({ deps, limits, body, c }) => {
    const pair = () => pairDevice(deps, body)
    // A link's secret cannot be guessed, so codes mistyped at the same address never block it.
    const isLink = hasLinkSecret(readPairingCode(body.code) ?? '')
    return addServerTime(deps, { device: await (isLink ? pair() : limitPairing({ deps, limits, c }, pair)) })
  },
  ownDevice: ({ deps, user }) => addServerTime(deps, { device: ownDeviceView(user.device) }),
  changeShift: async ({ deps, user, body }) =>
    addServerTime(deps, { device: await changeShift(deps, { caller: user, name: body.name }) }),
  gates: async ({ deps }) => readGates(deps),
  changeGate: async ({ deps, user, body }) =>
    addServerTime(deps, { device: await changeGate(deps, { caller: user, gate: body.gate }) }),
  saveGates: async ({ deps, user, body }) => saveGates(deps, { admin: user, gates: body.gates }),
} satisfies Routes
