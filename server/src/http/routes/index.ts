import type { Handlers } from '../mount.ts'
import { authRoutes } from './auth.ts'
import { blockRoutes } from './blocks.ts'
import { deskRoutes } from './desk.ts'
import { deviceRoutes } from './devices.ts'
import { eventRoutes } from './event.ts'
import { gateRoutes } from './gates.ts'
import { lostTicketRoutes } from './lostTickets.ts'
import { moneyExportRoutes } from './moneyExports.ts'
import { orderDeskRoutes } from './orderDesk.ts'
import { orderRoutes } from './orders.ts'
import { reconciliationRoutes } from './reconciliation.ts'
import { scannerRoutes } from './scanner.ts'
import { scanRoutes } from './scans.ts'
import { siteRoutes } from './site.ts'
import { ticketDeskRoutes } from './ticketDesk.ts'
import { ticketRoutes } from './tickets.ts'
import { userRoutes } from './users.ts'

/** The routes of all areas; each call of the contract is in exactly one. */
export const routes: Handlers = {
  ...authRoutes,
  ...eventRoutes,
  ...ticketRoutes,
  ...lostTicketRoutes,
  ...orderRoutes,
  ...orderDeskRoutes,
  ...moneyExportRoutes,
  ...reconciliationRoutes,
  ...blockRoutes,
  ...scanRoutes,
  ...scannerRoutes,
  ...gateRoutes,
  ...ticketDeskRoutes,
  ...userRoutes,
  ...deskRoutes,
  ...deviceRoutes,
  ...siteRoutes,
}
