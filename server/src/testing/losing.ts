import type { World } from './world.ts'

/** What the restore of an older backup does to tickets: nothing is left of them or of their orders. */
export async function lose(world: World, tickets: readonly { _id: string }[]): Promise<void> {
  const ids = tickets.map(({ _id }) => _id)
  const these = ids.map(() => '?').join()
  const orders = (await world.sql(`select distinct order_id as id from tickets where id in (${these})`, ...ids)).map(
    ({ id }) => id,
  )
  await world.sql(
    `update events set taken_seats = taken_seats
       - (select count(*) from tickets where status in ('active', 'used') and id in (${these}))
     where closed_at is null`,
    ...ids,
  )
  await world.sql(`delete from refunds where ticket_id in (${these})`, ...ids)
  await world.sql(`delete from link_tickets where ticket_id in (${these})`, ...ids)
  await world.sql(`delete from tickets where id in (${these})`, ...ids)
  for (const id of orders) {
    const [left] = await world.sql('select count(*) as n from tickets where order_id = ?', id)
    if (Number(left?.n) > 0) continue
    const paid = '(select id from payments where order_id = ?)'
    await world.sql(`delete from refunds where payment_id in ${paid}`, id)
    await world.sql('delete from jobs where order_id = ?', id)
    await world.sql('delete from payments where order_id = ?', id)
    await world.sql('delete from orders where id = ?', id)
  }
}
