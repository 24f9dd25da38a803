import { ADMIN, type Call, NO_ROLE } from './call.ts'
import * as device from './device.ts'
import { RIGHTS } from './names.ts'
import { type CallName, PATHS } from './paths.ts'

/** Phones paired without an account. */
export const DEVICE_CALLS = {
  createDevice: {
    ...PATHS.createDevice,
    access: ADMIN,
    summary: 'Prepare a device; its pairing code is in this answer only',
    body: device.createDeviceBodySchema,
    answer: device.createdDeviceSchema,
    status: 201,
  },
  devices: {
    ...PATHS.devices,
    access: ADMIN,
    summary: 'Devices, newest first, and the admissions to look at',
    answer: device.devicesAnswerSchema,
  },
  changeDevice: {
    ...PATHS.changeDevice,
    access: ADMIN,
    summary: 'Change or revoke a device, or make a new pairing code',
    body: device.changeDeviceBodySchema,
    answer: device.changedDeviceSchema,
  },
  revokeAllDevices: {
    ...PATHS.revokeAllDevices,
    access: ADMIN,
    summary: 'Revoke every device',
    answer: device.revokedDevicesSchema,
  },
  pairDevice: {
    ...PATHS.pairDevice,
    access: 'anyone',
    summary: 'Pair a phone: its public key for a code',
    body: device.pairBodySchema,
    answer: device.ownDeviceAnswerSchema,
  },
  ownDevice: {
    ...PATHS.ownDevice,
    access: NO_ROLE,
    rights: RIGHTS,
    summary: 'The calling device',
    answer: device.ownDeviceAnswerSchema,
  },
  changeShift: {
    ...PATHS.changeShift,
    access: NO_ROLE,
    rights: RIGHTS,
    summary: 'Who uses the calling device from now on',
    body: device.shiftBodySchema,
    answer: device.ownDeviceAnswerSchema,
  },
} as const satisfies Partial<Record<CallName, Call>>
