import type { Check } from './accountant.ts'
import { finds, short } from './query.ts'

/** Somebody was let in and not taken back. */
const INSIDE = "s.outcome in ('admitted', 'conflict') and s.undone_at is null"

export const entriesCounted: readonly Check[] = [
  finds(
    `select t.id, t.buyer_name as name, s.id as scan from tickets t left join scans s on s.id = t.entry_scan_id
    where t.status = 'used' and (case when t.entry_scan_id is null then t.scanned_by_name is null
      else s.id is null or s.ticket_id <> t.id or s.outcome <> 'admitted' or s.undone_at is not null end)`,
    ({ id, scan }) =>
      `Ticket ${short(id)}: is used, and ${scan === null ? 'nobody let anybody in with it' : 'its entry let nobody in'}`,
  ),
  finds(
    `select t.id, s.checker_name, s.id as scan from scans s join tickets t on t.id = s.ticket_id
    where s.outcome = 'admitted' and s.undone_at is null
      and (t.status = 'active' or t.status = 'used' and coalesce(t.entry_scan_id, '') <> s.id)`,
    ({ id, checker_name }) =>
      `Ticket ${short(id)}: ${checker_name} let somebody in with it, and the ticket does not know`,
  ),
  finds(
    `select inside.ticket_id, inside.people, inside.known, count(c.id) as recorded from (
        select s.ticket_id, count(*) as people, count(distinct t.id) as known from scans s left join tickets t on t.id = s.ticket_id
        where s.ticket_id is not null and ${INSIDE} group by s.ticket_id) inside
      left join conflicts c on c.ticket_id = inside.ticket_id
    where inside.people > 1 or inside.known = 0
    group by inside.ticket_id, inside.people, inside.known
    having inside.people - inside.known > count(c.id)`,
    ({ ticket_id, people, recorded }) =>
      `Ticket ${short(ticket_id)}: let ${people} people in, and ${recorded} double admissions were recorded`,
  ),
]
