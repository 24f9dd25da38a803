import type { Handlers } from '../mount.ts'
import { doorSaleRoutes } from './doorSales.ts'
import { eventRoutes } from './event.ts'
import { gateRoutes } from './gate.ts'
import { moneyRoutes } from './money.ts'
import { peopleRoutes } from './people.ts'
import { phoneRoutes } from './phones.ts'
import { reconciliationRoutes } from './reconciliation.ts'
import { recoveryRoutes } from './recovery.ts'
import { ticketRoutes } from './tickets.ts'
import { watchRoutes } from './watch.ts'

export const routes: Handlers = {
  ...peopleRoutes,
  ...eventRoutes,
  ...ticketRoutes,
  ...moneyRoutes,
  ...reconciliationRoutes,
  ...doorSaleRoutes,
  ...gateRoutes,
  ...phoneRoutes,
  ...recoveryRoutes,
  ...watchRoutes,
}
