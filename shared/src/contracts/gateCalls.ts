import { ADMIN, type Call, NO_ROLE } from './call.ts'
import { ownDeviceAnswerSchema } from './device.ts'
import { changeGateBodySchema, gatesAnswerSchema, saveGatesBodySchema } from './gate.ts'
import { RIGHTS } from './names.ts'
import { type CallName, PATHS } from './paths.ts'

export const GATE_CALLS = {
  gates: {
    ...PATHS.gates,
    access: ['admin', 'manager', 'qrchecker'],
    rights: RIGHTS,
    summary: 'The gates, and the kinds of tickets each takes',
    answer: gatesAnswerSchema,
  },
  changeGate: {
    ...PATHS.changeGate,
    access: NO_ROLE,
    rights: RIGHTS,
    summary: 'Where the calling device stands from now on',
    body: changeGateBodySchema,
    answer: ownDeviceAnswerSchema,
  },
  saveGates: {
    ...PATHS.saveGates,
    access: ADMIN,
    summary: 'Replace the gates',
    body: saveGatesBodySchema,
    answer: gatesAnswerSchema,
  },
} as const satisfies Partial<Record<CallName, Call>>
