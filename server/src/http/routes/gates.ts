import { changeGate, readGates, saveGates } from '../../flows/phones/gates.ts'
import type { Routes } from '../mount.ts'

export const gateRoutes = {
  gates: async ({ deps }) => ({ gates: await readGates(deps) }),
  changeGate: async ({ deps, user, body }) => ({
    device: await changeGate(deps, { caller: user, gate: body.gate }),
    serverTime: deps.now().toISOString(),
  }),
  saveGates: async ({ deps, user, body }) => ({ gates: await saveGates(deps, { admin: user, gates: body.gates }) }),
} satisfies Routes
