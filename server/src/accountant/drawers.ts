import type { Check } from './accountant.ts'
import { finds, numberOf, rupees } from './query.ts'

const DRAWERS = `
  select s.id, s.person_name as person, s.opened_at, s.closed_at, s.float_paise as float_in, s.expected_paise as expected,
    s.counted_paise as counted, coalesce((select sum(p.amount_paise) from payments p
      where p.cash_session_id = s.id and p.state = 'captured'), 0) as taken,
    coalesce((select sum(r.amount_paise) from refunds r
      where r.cash_session_id = s.id and r.state = 'manual'), 0) as paid_back
  from cash_sessions s`

export const drawersAddUp: readonly Check[] = [
  finds(
    `select * from (${DRAWERS}) d where closed_at is not null
      and (counted is null or expected is null or float_in + taken - paid_back <> expected)`,
    ({ person, float_in, taken, paid_back, expected, counted }) =>
      `Drawer of ${person}: float ${rupees(float_in)}, taken ${rupees(taken)}, paid back ${rupees(paid_back)}: ` +
      `${rupees(numberOf(float_in) + numberOf(taken) - numberOf(paid_back))} should be in it, ${rupees(expected)} was expected and ${rupees(counted)} counted`,
  ),
]
