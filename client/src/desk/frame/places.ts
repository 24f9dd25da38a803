import { HOMES, type ViewOf } from '@garba/shared/contracts/site/pages'
import {
  CalendarCog,
  ChartColumn,
  DoorOpen,
  House,
  IndianRupee,
  type LucideIcon,
  Mail,
  ReceiptText,
  ScrollText,
  Smartphone,
  Ticket,
  Users,
} from 'lucide-react'
import { useConfig } from '../../platform/config.ts'
import { useUser } from '../../platform/identity/session.ts'
import { DESK } from '../texts/desk.ts'

export type Desk = 'admin' | 'manager'
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
  money: IndianRupee,
  users: Users,
  analytics: ChartColumn,
  event: CalendarCog,
  devices: Smartphone,
  audit: ScrollText,
  mails: Mail,
}

/** The views of each desk, the most used first: phones show the first four in their bar. */
const VIEWS = {
  admin: ['home', 'gate', 'tickets', 'users', 'orders', 'money', 'analytics', 'event', 'devices', 'audit', 'mails'],
  manager: ['home', 'gate', 'users', 'analytics', 'money'],
} as const satisfies Record<Desk, readonly View[]>

const BY_EVENT: ReadonlySet<View> = new Set(['gate', 'tickets', 'orders', 'money', 'analytics', 'event', 'audit'])

/** `event` is the closed event in view; links to views about one event keep it. */
export const usePlaces = (desk: Desk, event?: string): Place[] => {
  const written = useConfig(
    ({ config }) => config?.mail === 'written' || (config?.demo === true && config.signIn.includes('email')),
  )
  return VIEWS[desk]
    .filter((view) => view !== 'mails' || written)
    .map((view) => ({
      to:
        view === 'home' ? HOMES[desk] : `${HOMES[desk]}/${view}${event && BY_EVENT.has(view) ? `?event=${event}` : ''}`,
      label: DESK.rail[view],
      Icon: ICONS[view],
    }))
}

export const useDeskHome = (): string => (useUser()?.role === 'manager' ? '/dashboard/manager' : '/dashboard/admin')
