import { salesFigures, ticketStats } from '../../flows/salesFigures.ts'
import type { Routes } from '../mount.ts'

export const analyticsRoutes = {
  ticketStats: ({ deps }) => ticketStats(deps),
  analytics: ({ deps }) => ({ data: salesFigures(deps) }),
} satisfies Routes
