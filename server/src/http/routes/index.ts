import type { Handlers } from '../mount.ts'
import { authRoutes } from './auth.ts'
import { blockRoutes } from './doorSales.ts'
import { eventRoutes } from './event.ts'
import { scanRoutes } from './gate.ts'
import { gateRoutes } from './gates.ts'
import { orderDeskRoutes } from './money.ts'
import { moneyExportRoutes } from './moneyExports.ts'
import { orderRoutes } from './orders.ts'
import { userRoutes } from './people.ts'
import { deviceRoutes } from './phones.ts'
import { reconciliationRoutes } from './reconciliation.ts'
import { lostTicketRoutes } from './recovery.ts'
import { scannerRoutes } from './scanner.ts'
import { siteRoutes } from './site.ts'
import { ticketDeskRoutes } from './ticketDesk.ts'
import { ticketRoutes } from './tickets.ts'
import { deskRoutes } from './watch.ts'

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
