import { systemHealth } from '../../flows/systemHealth.ts'
import type { Routes } from '../mount.ts'

export const healthRoutes = {
  health: ({ deps }) => ({ data: systemHealth(deps) }),
} satisfies Routes
