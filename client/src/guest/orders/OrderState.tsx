import type { OrderState as State } from '@garba/shared/contracts/names'
import { StateChip, type StateTone } from '../../kit/Badge.tsx'
import { useOrderWords } from './words.ts'

const TONES = { held: 'warn', paid: 'ok', expired: 'bad', cancelled: 'info' } as const satisfies Record<
  State,
  StateTone
>

export const OrderState = ({ state }: { state: State }) => (
  <StateChip state={TONES[state]}>{useOrderWords().state[state]}</StateChip>
)
