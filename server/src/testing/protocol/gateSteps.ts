import type { Right, TicketStatus } from '@garba/shared/contracts/names'
import fc from 'fast-check'
import type { Network } from './gatePhone.ts'

export const PHONES = 3
const TICKETS = 4
/** Beside the tickets: a code that nobody signed. */
export const FORGED = TICKETS

export type GateStep =
  | { do: 'scan'; phone: number; ticket: number; by: 'code' | 'hand' | 'member'; dies: boolean }
  | { do: 'leave'; phone: number; ticket: number; by: 'code' | 'member' }
  | { do: 'count'; phone: number; change: number }
  | { do: 'undo' | 'sync' | 'restart' | 'loseList' | 'refreshDevice'; phone: number }
  | { do: 'network'; phone: number; network: Network }
  | { do: 'clock'; phone: number; minutes: number }
  | { do: 'pass'; seconds: number }
  | { do: 'revoke'; phone: number }
  | { do: 'rights'; phone: number; without: Right | null }
  | { do: 'room'; phone: number; full: boolean }
  | { do: 'stream'; phone: number; isOpen: boolean }
  | { do: 'swap'; phone: number; ticket: number }
  | { do: 'takeCodes' | 'returnCodes'; phone: number }
  | { do: 'sell'; phone: number; admit: boolean }
  | { do: 'status'; ticket: number; status: TicketStatus }
  | { do: 'newCode'; ticket: number }
  | { do: 'buy' | 'backup' | 'restore' | 'acknowledge' }

const phone = fc.nat({ max: PHONES - 1 })
const NETWORKS: readonly Network[] = [
  ...(['up', 'up', 'up', 'cutBefore', 'cutBefore', 'cutBefore', 'cutAfter', 'cutAfter', 'late', 'live'] as const),
  ...(['portal', 'busy', 'tooMany', 'garbled'] as const),
]
const ticket = fc.nat({ max: TICKETS + 1 })
const step: fc.Arbitrary<GateStep> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      do: fc.constant('scan' as const),
      phone,
      ticket: fc.oneof(
        { weight: 8, arbitrary: fc.nat({ max: 1 }) },
        { weight: 4, arbitrary: fc.nat({ max: FORGED + 5 }) },
      ),
      by: fc.constantFrom('code', 'code', 'hand', 'member'),
      dies: fc.integer({ min: 0, max: 14 }).map((n) => n === 0),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('leave' as const),
          phone,
          ticket: fc.nat({ max: 1 }),
          by: fc.constantFrom('code', 'member'),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant('count' as const), phone, change: fc.integer({ min: -3, max: 3 }) }),
      },
    ),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'sync' as const), phone }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('restart' as const, 'loseList' as const, 'refreshDevice' as const),
      phone,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('network' as const), phone, network: fc.constantFrom(...NETWORKS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('clock' as const), phone, minutes: fc.integer({ min: -15, max: 15 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 20, 59, 61, 600) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const), phone }) },
  {
    weight: 3,
    arbitrary: fc.oneof(
      fc.record({
        do: fc.constant('rights' as const),
        phone,
        without: fc.constantFrom<Right | null>('scan', 'find', 'undo', null),
      }),
      fc.record({ do: fc.constant('room' as const), phone, full: fc.boolean() }),
      fc.record({ do: fc.constant('swap' as const), phone, ticket }),
      fc.record({ do: fc.constant('stream' as const), phone, isOpen: fc.boolean() }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.oneof(
      fc.record({ do: fc.constantFrom('takeCodes' as const, 'takeCodes' as const, 'returnCodes' as const), phone }),
      fc.record({ do: fc.constant('sell' as const), phone, admit: fc.boolean() }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.record({
        do: fc.constant('status' as const),
        ticket,
        status: fc.constantFrom<TicketStatus>('cancelled', 'active', 'used'),
      }),
      fc.record({ do: fc.constant('newCode' as const), ticket }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<GateStep>(
      { do: 'buy' },
      { do: 'backup' },
      { do: 'backup' },
      { do: 'restore' },
      { do: 'acknowledge' },
    ),
  },
)
export const gateSteps = fc.array(step, { minLength: 1, maxLength: 40, size: 'max' })
