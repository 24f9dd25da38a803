import type { OrderState as State } from '@garba/shared/contracts/names'
import { CircleSlash, Hourglass } from 'lucide-react'
import { StateChip } from '../../kit/Badge.tsx'
import { ORDERS } from '../texts/orders.ts'

const TONE = { held: 'warn', paid: 'ok', expired: 'info', cancelled: 'bad' } as const satisfies Record<State, string>

/** How far an order has got, as icon, word and colour. */
export const OrderState = ({ state }: { state: State }) => (
  <StateChip
    state={TONE[state]}
    {...(state === 'held' ? { icon: <Hourglass aria-hidden="true" /> } : {})}
    {...(state === 'expired' ? { icon: <CircleSlash aria-hidden="true" /> } : {})}
  >
    {ORDERS.states[state]}
  </StateChip>
)
