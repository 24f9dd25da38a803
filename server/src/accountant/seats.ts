import type { Check } from './accountant.ts'
import { finds, short } from './query.ts'

export const seatsAddUp: readonly Check[] = [
  finds(
    `select * from (select e.name, e.taken_seats as taken, e.total_tickets as total,
        (select count(*) from tickets t where t.event_id = e.id and t.status = 'active') as active,
        (select count(*) from tickets t where t.event_id = e.id and t.status = 'used') as used,
        (select coalesce(sum(o.quantity), 0) from orders o where o.event_id = e.id and o.state = 'held') as held,
        (select count(*) from block_codes c join code_blocks b on b.id = c.block_id
          where b.event_id = e.id and c.state = 'allotted') as allotted
      from events e) seats
    where taken <> active + used + held + allotted or taken > total`,
    ({ name, taken, total, active, used, held, allotted }) =>
      `${name}: ${taken} of ${total} seats are taken, by ${active} active and ${used} used tickets, ${held} held and ${allotted} allotted`,
  ),
]

export const codesSold: readonly Check[] = [
  finds(
    `select c.number, c.state, b.label, t.id, o.code from block_codes c join code_blocks b on b.id = c.block_id
      left join tickets t on t.id = c.ticket_id left join orders o on o.id = c.order_id
    where (c.state = 'sold') <> (t.id is not null) or t.order_id <> c.order_id or t.event_id <> b.event_id`,
    ({ number, state, label, id, code }) =>
      `${code ?? label}: code ${number} of ${label} is ${state}, and ${
        id === null ? 'has no ticket' : `its ticket ${short(id)} is not of that sale`
      }`,
  ),
  finds(
    `select b.label, b.size, count(c.ticket_id) as codes from code_blocks b left join block_codes c on c.block_id = b.id
    group by b.id, b.label, b.size having count(c.ticket_id) <> b.size`,
    ({ label, size, codes }) => `${label}: was made with ${size} codes, and has ${codes}`,
  ),
  finds(
    `select c.number, b.label, o.code from block_codes c join code_blocks b on b.id = c.block_id
      join orders o on o.id = c.order_id
    where c.state = 'sold' and c.returned_by_id is not null and c.returned_by_id = o.seller_id`,
    ({ code, number, label }) => `${code}: sold code ${number} of ${label} after its seller had given it back`,
  ),
]
