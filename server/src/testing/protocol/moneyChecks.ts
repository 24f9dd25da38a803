import type { World } from '../world.ts'

/** Seats stay held until nobody can pay for them any more. */
export async function looseLinks({ sql, double }: Pick<World, 'sql' | 'double'>): Promise<string[]> {
  const held = new Set((await sql("select code from orders where state = 'held'")).map(({ code }) => String(code)))
  return double
    .links()
    .filter(({ status, reference }) => status === 'created' && !held.has(reference))
    .map(({ reference }) => `${reference}: its seats were given up while it could be paid`)
}

/** Each payment the provider captured is ours, nothing more; each refund is what it says; and nothing is left undone. */
export async function againstTheBank(world: Pick<World, 'sql' | 'double'>): Promise<string[]> {
  const ours = new Map(
    (
      await world.sql(`
        select o.code as code, count(*) as n from payments p join orders o on o.id = p.order_id
        where p.state = 'captured' group by o.code`)
    ).map(({ code, n }) => [String(code), Number(n)]),
  )
  const fulfilled = new Set(
    (await world.sql("select code from orders where state = 'paid'")).map(({ code }) => String(code)),
  )
  const wrong = world.double.links().flatMap(({ reference, payments, status }) => {
    if (status === 'paid' && !fulfilled.has(reference)) return [`${reference}: paid in time, and has no tickets`]
    const theirs = payments.filter(({ capturedAt }) => capturedAt !== null).length
    const known = ours.get(reference) ?? 0
    return theirs === known ? [] : [`${reference}: the provider captured ${theirs} payments, we know ${known}`]
  })
  const states = new Map(
    (await world.sql('select provider_refund_id as id, state from refunds')).map(({ id, state }) => [id, state]),
  )
  // A refund made elsewhere that failed before we heard of it moved no money.
  for (const { id, status } of world.double
    .links()
    .flatMap(({ payments }) => payments.flatMap(({ capturedAt, refunds }) => (capturedAt === null ? [] : refunds))))
    if ((states.get(id) ?? 'failed') !== (status === 'processed' ? 'done' : status))
      wrong.push(`${id}: a refund that is ${status} at the provider and ${states.get(id)} for us`)
  const waiting = await world.sql(
    "select id, last_error from jobs where ended_at is null and kind not in ('mail', 'push', 'pushAll') union all select id, last_error from refunds where state in ('requested', 'asking', 'sent')",
  )
  return [...wrong, ...waiting.map((row) => `still waiting: ${JSON.stringify(row)}`)]
}
