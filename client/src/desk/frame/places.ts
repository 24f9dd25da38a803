import { HOMES, type ViewOf } from '@garba/shared/contracts/pages'
import { DESK } from '@garba/shared/messages/desk'
import {
  CalendarCog,
  ChartColumn,
  DoorOpen,
  House,
  type LucideIcon,
  ReceiptText,
  ScrollText,
  Ticket,
  Users,
} from 'lucide-react'

export type Desk = 'admin' | 'manager'
/** Views with an entry in the rail; one order is reached from the list. */
type View = Exclude<ViewOf<'admin'>, `${string}/${string}`> | 'home'

export interface Place {
  to: string
  label: string
  Icon: LucideIcon
}

const ICONS: Record<View, LucideIcon> = {
  home: House,
  gate: DoorOpen,
  tickets: Ticket,
  orders: ReceiptText,
  users: Users,
  analytics: ChartColumn,
  event: CalendarCog,
  audit: ScrollText,
}

/** The views of each desk, the most used first: phones show the first four in their bar. */
const VIEWS = {
  admin: ['home', 'gate', 'tickets', 'users', 'orders', 'analytics', 'event', 'audit'],
  manager: ['home', 'gate', 'users', 'analytics'],
} as const satisfies Record<Desk, readonly View[]>

const BY_EVENT: ReadonlySet<View> = new Set(['gate', 'tickets', 'orders', 'analytics', 'event', 'audit'])

/** `event`: the closed event that is being looked at; the views that are about one event stay with it. */
export const placesOf = (desk: Desk, event?: string): Place[] =>
  VIEWS[desk].map((view) => ({
    to: view === 'home' ? HOMES[desk] : `${HOMES[desk]}/${view}${event && BY_EVENT.has(view) ? `?event=${event}` : ''}`,
    label: DESK.rail[view],
    Icon: ICONS[view],
  }))
