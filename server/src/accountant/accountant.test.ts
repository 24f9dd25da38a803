import { BOOK_RULES, type BookRule } from '@garba/shared/contracts/names'
import type { WholeOrder } from '@garba/shared/contracts/order'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRawQuery } from '../store/engine/sql.ts'
import { type PaidEvening, paidEvening, UTR } from '../testing/paidEvening.ts'
import { oneMore, SCAN_COLUMNS, TICKET_COLUMNS } from '../testing/planting.ts'
import { accountantFindings } from './accountant.ts'

const undos: (() => Promise<void>)[] = []
let evening: PaidEvening
beforeAll(async () => {
  evening = await paidEvening((undo) => undos.push(undo))
}, 60_000)
afterAll(async () => {
  for (const undo of undos.toReversed()) await undo()
})

class Undone extends Error {}

/** What the accountant finds after the tables were changed behind the product's back. Nothing of the change stays. */
async function findingsAfter(...changes: string[]): Promise<string[]> {
  let found: string[] = []
  const write = evening.world.store.write(async (tx) => {
    for (const change of changes) await tx.sql.run(sql.raw(change))
    found = (await accountantFindings(makeRawQuery(tx))).map(({ rule, finding }) => `${rule}: ${finding}`)
    throw new Undone()
  })
  await expect(write).rejects.toThrow(Undone)
  return found
}

test('an evening by the rules has no findings', async () => {
  expect(await findingsAfter()).toEqual([])
})

const firstOf = ({ tickets }: WholeOrder): string => tickets[0]?._id ?? ''
const orderId = (code: string) => `(select id from orders where code = '${code}')`
const refundOf = (ticketId: string) => `(select id from refunds where ticket_id = '${ticketId}')`

/** A refund by raw SQL, of a ticket or of no ticket. */
const aRefund = (of: { code: string; ticketId?: string; paise: number; state: string }) =>
  `insert into refunds (id, payment_id, ticket_id, kind, amount_paise, state, attempts, created_at, updated_at)
  select 'refund-by-sql', p.id, ${of.ticketId === undefined ? 'null' : `'${of.ticketId}'`}, 'event', ${of.paise}, '${of.state}', 0, 2e12, 2e12
  from payments p where p.order_id = ${orderId(of.code)}`.replaceAll('2e12', '2000000000000')

const noted = (code: string, paise: number) =>
  `insert into attention (id, kind, dedupe_key, order_id, amount_paise, detail, created_at, resolved_at, resolution) select 'a', 'refundedElsewhere', 'refundedElsewhere:refund-by-sql', id, ${paise}, 'x', 1, 2, 'Fine' from orders where code = '${code}'`

const aTicket = (like: string, set: Record<string, string>) => oneMore('tickets', TICKET_COLUMNS, `'${like}'`, set)
/** One more scan of a ticket, like its entry. */
const aScan = (ticketId: string, set: Record<string, string>) =>
  oneMore('scans', SCAN_COLUMNS, `(select entry_scan_id from tickets where id = '${ticketId}')`, set)

/** A phone with one right lets one more person in on a ticket. */
const letInBy = (name: string, right: string, ticketId: string, set: Record<string, string> = {}) => [
  aScan(ticketId, { id: "'more'", sender_id: `'${name}'`, sender_name: `'${name}'`, outcome: "'conflict'", ...set }),
  `insert into device_rights (id, device_id, since, rights) values ('r', '${name}', 0, '["${right}"]')`,
]

/** `row`: what the finding must name. */
type Corruption = [
  rule: BookRule,
  what: string,
  changes: (it: PaidEvening) => string[],
  row: (it: PaidEvening) => string,
]

const CORRUPTIONS: readonly Corruption[] = [
  [
    'ticketsPaid',
    'a payment that failed after all',
    ({ paid }) => [`update payments set state = 'failed' where order_id = ${orderId(paid.code)}`],
    ({ paid }) => paid.code,
  ],
  [
    'ticketsPaid',
    'tickets of an order that lapsed',
    ({ paid }) => [`update orders set state = 'expired' where code = '${paid.code}'`],
    ({ paid }) => paid.code,
  ],
  [
    'ticketsPaid',
    'one more ticket than was sold',
    ({ paid }) => [
      aTicket(firstOf(paid), { id: "'01K5000000000000000EXTRA01'", status: "'active'" }),
      'update events set taken_seats = taken_seats + 1',
    ],
    ({ paid }) => paid.code,
  ],
  [
    'ticketsPaid',
    'a ticket dearer than its order',
    ({ paid }) => [`update tickets set price_paise = price_paise + 100 where id = '${firstOf(paid)}'`],
    ({ paid }) => paid.code,
  ],
  [
    'ticketsPaid',
    'a ticket out of nowhere',
    ({ paid }) => [
      aTicket(firstOf(paid), {
        id: "'01K5000000000000000EXTRA01'",
        order_id: 'null',
        status: "'active'",
        created_at: 'created_at + 1',
      }),
      'update events set taken_seats = taken_seats + 1',
    ],
    () => 'EXTRA01',
  ],
  [
    'ticketsPaid',
    'a sale turned into one without payment',
    ({ cash }) => [
      `update orders set provider = 'none' where code = '${cash.code}'`,
      'update tickets set created_at = created_at + 1',
    ],
    () => 'nobody paid',
  ],
  [
    'ticketsPaid',
    'tickets given away without a reason',
    ({ given }) => [`update orders set reason = null where code = '${given.code}'`],
    ({ given }) => given.code,
  ],
  [
    'ticketsPaid',
    'a cash sale booked as given away',
    ({ cash }) => [`update orders set provider = 'complimentary', reason = 'Friend' where code = '${cash.code}'`],
    ({ cash }) => cash.code,
  ],
  [
    'moneyAccounted',
    'more received than was asked',
    ({ paid }) => [`update payments set amount_paise = amount_paise + 100 where order_id = ${orderId(paid.code)}`],
    ({ paid }) => paid.code,
  ],
  [
    'moneyAccounted',
    'one rupee paid for an order that is still held',
    ({ held }) => [
      `update payments set state = 'captured', amount_paise = 100, captured_at = 1, provider_payment_id = 'pay_one' where order_id = ${orderId(held.code)}`,
    ],
    ({ held }) => held.code,
  ],
  [
    'moneyAccounted',
    'a paid ticket deleted with its money',
    ({ upi }) => [
      `update tickets set status = 'deleted' where id = '${firstOf(upi)}'`,
      'update events set taken_seats = taken_seats - 1',
    ],
    ({ upi }) => upi.code,
  ],
  [
    'moneyAccounted',
    'a cancelled ticket deleted before its money went back',
    ({ cancelled }) => [
      `delete from refunds where id = ${refundOf(firstOf(cancelled))}`,
      `update tickets set status = 'deleted' where id = '${firstOf(cancelled)}'`,
    ],
    ({ cancelled }) => cancelled.code,
  ],
  [
    'moneyAccounted',
    'money that went back elsewhere and left a valid ticket, resolved with a word',
    ({ paid }) => [aRefund({ code: paid.code, paise: 29_900, state: 'done' }), noted(paid.code, 29_900)],
    ({ paid }) => paid.code,
  ],
  [
    'moneyAccounted',
    'money received from nowhere',
    ({ paid }) => [`update payments set provider_payment_id = null where order_id = ${orderId(paid.code)}`],
    ({ paid }) => paid.code,
  ],
  [
    'refundsWithin',
    'more goes back than was paid',
    ({ cash }) => [aRefund({ code: cash.code, paise: 30_000, state: 'manual' })],
    ({ cash }) => cash.code,
  ],
  [
    'refundsWithin',
    'one ticket is paid back twice',
    ({ cancelled }) => [aRefund({ code: cancelled.code, ticketId: firstOf(cancelled), paise: 25_900, state: 'done' })],
    ({ cancelled }) => cancelled.code,
  ],
  [
    'refundsWithin',
    'less goes back than price minus 40, after a favour',
    ({ cancelled }) => [
      `update refunds set amount_paise = 10000 where id = ${refundOf(firstOf(cancelled))}`,
      aRefund({ code: cancelled.code, paise: 16_000, state: 'done' }),
      noted(cancelled.code, 16_000),
    ],
    ({ cancelled }) => cancelled.code,
  ],
  [
    'refundsWithin',
    'money and ticket kept',
    ({ refunded }) => [
      `update tickets set status = 'active' where id = '${firstOf(refunded)}'`,
      'update events set taken_seats = taken_seats + 1',
    ],
    ({ refunded }) => refunded.code,
  ],
  [
    'refundsWithin',
    "the refund of another order's ticket",
    ({ paid, upi }) => [aRefund({ code: paid.code, ticketId: firstOf(upi), paise: 29_900, state: 'done' })],
    ({ paid }) => paid.code,
  ],
  [
    'refundsShown',
    'a ticket that says Failed while its money went back',
    ({ refunded }) => [`update tickets set is_refund_done = 0 where id = '${firstOf(refunded)}'`],
    ({ refunded }) => refunded.code,
  ],
  [
    'refundsShown',
    'a ticket that says Done without a refund',
    ({ upi }) => [
      `update tickets set status = 'cancelled', is_refund_done = 1 where id = '${firstOf(upi)}'`,
      'update events set taken_seats = taken_seats - 1',
    ],
    ({ upi }) => upi.code,
  ],
  [
    'refundsShown',
    'late money that goes back, on no list',
    ({ upi }) => [
      `update payments set amount_paise = amount_paise + 29900 where order_id = ${orderId(upi.code)}`,
      aRefund({ code: upi.code, paise: 29_900, state: 'requested' }),
    ],
    ({ upi }) => upi.code,
  ],
  [
    'refundsShown',
    'a refund that waits for a provider without the money',
    ({ cash }) => [aRefund({ code: cash.code, paise: 100, state: 'sent' })],
    ({ cash }) => cash.code,
  ],
  [
    'appliedOnce',
    'a UTR that paid two orders',
    ({ cash }) => [
      'drop index payments_utr',
      `update payments set utr = '${UTR}' where order_id = ${orderId(cash.code)}`,
    ],
    () => UTR,
  ],
  [
    'appliedOnce',
    "money that is received and still nobody's",
    ({ paid }) => [
      `insert into attention (id, kind, dedupe_key, amount_paise, detail, created_at) select 'a', 'unknown', 'k', 59800, provider_payment_id || ' plink_1', 1 from payments where order_id = ${orderId(paid.code)}`,
    ],
    ({ paid }) => paid.code,
  ],
  [
    'bankAgrees',
    '900 rupees on the statement confirmed as 1,000',
    ({ upi }) => [
      `insert into statement_lines (id, day, amount_paise, utr, numbers, description, imported_at, imported_by_name, order_id) values ('l', '2025-09-22', 26900, '${UTR}', '', 'UPI', 1, 'A', ${orderId(upi.code)})`,
    ],
    ({ upi }) => upi.code,
  ],
  [
    'bankAgrees',
    'a credit that paid another order than its UTR says',
    ({ paid }) => [
      `insert into statement_lines (id, day, amount_paise, utr, numbers, description, imported_at, imported_by_name, order_id) values ('l', '2025-09-22', 29900, '${UTR}', '', 'UPI', 1, 'A', ${orderId(paid.code)})`,
    ],
    ({ upi }) => upi.code,
  ],
  [
    'bankAgrees',
    'a credit that paid an order nobody paid',
    ({ held }) => [
      `insert into statement_lines (id, day, amount_paise, utr, numbers, description, imported_at, imported_by_name, order_id) values ('l', '2025-09-22', 29900, null, '', 'UPI', 1, 'A', ${orderId(held.code)})`,
    ],
    ({ held }) => held.code,
  ],
  [
    'bankAgrees',
    'a payout of another amount',
    ({ paid }) => [
      `insert into settlement_lines (id, provider, kind, settlement_id, day, amount_paise, fee_paise, stored_at) select provider_payment_id, 'razorpay', 'payment', 's', '2025-09-22', amount_paise - 1, 0, 1 from payments where order_id = ${orderId(paid.code)}`,
    ],
    ({ paid }) => paid.code,
  ],
  [
    'bankAgrees',
    'a refund that the provider paid and the desk calls failed',
    ({ refunded }) => [
      `update refunds set state = 'failed' where id = ${refundOf(firstOf(refunded))}`,
      `insert into settlement_lines (id, provider, kind, settlement_id, day, amount_paise, fee_paise, stored_at) select provider_refund_id, 'razorpay', 'refund', 's', '2025-09-22', amount_paise, 0, 1 from refunds where id = ${refundOf(firstOf(refunded))}`,
    ],
    ({ refunded }) => refunded.code,
  ],
  [
    'claimsListed',
    'a cash sale booked as paid by card',
    ({ cash }) => [`update payments set provider = 'card' where order_id = ${orderId(cash.code)}`],
    ({ cash }) => cash.code,
  ],
  [
    'drawersAddUp',
    'a counted drawer that expects more than was in it',
    ({ drawer }) => [`update cash_sessions set expected_paise = expected_paise + 29900 where id = '${drawer.id}'`],
    () => 'Asha Admin',
  ],
  [
    'drawersAddUp',
    'a sale moved into a counted drawer',
    ({ drawer }) => [`update payments set cash_session_id = '${drawer.id}' where provider = 'cash'`],
    () => 'Asha Admin',
  ],
  [
    'drawersAddUp',
    'cash paid back out of a counted drawer',
    ({ cash, drawer }) => [
      aRefund({ code: cash.code, paise: 29_900, state: 'manual' }),
      `update refunds set cash_session_id = '${drawer.id}' where id = 'refund-by-sql'`,
    ],
    () => 'Asha Admin',
  ],
  [
    'seatsAddUp',
    'a seat sold that nobody has',
    () => ['update events set taken_seats = taken_seats + 1'],
    () => 'Garba Rass 2025',
  ],
  [
    'seatsAddUp',
    'a seat of a type that nobody has',
    () => [
      `update events set types = replace(types, '"seats":null', '"seats":500')`,
      `insert into type_seats (type_id, event_id, taken, most)
        select (select type_id from tickets where event_id = e.id limit 1), e.id, e.taken_seats + 1, 0 from events e`,
    ],
    () => 'General',
  ],
  [
    'seatsAddUp',
    'a code used once too often',
    () => [
      `insert into promo_codes (id, event_id, code, compared, kind, note, used, created_by_name, created_at)
        select 'c', id, 'FRIENDS', 'FRIENDS', 'access', '', 1, 'A', 1 from events`,
    ],
    () => 'FRIENDS',
  ],
  [
    'seatsAddUp',
    'a hold forgotten',
    ({ held }) => [`update orders set state = 'expired' where code = '${held.code}'`],
    () => 'Garba Rass 2025',
  ],
  [
    'codesSold',
    'a code returned after it was sold',
    ({ paper }) => [
      `update block_codes set state = 'returned', order_id = null where block_id = '${paper.id}' and number = 1`,
    ],
    () => 'Ravi, Paldi',
  ],
  [
    'codesSold',
    'a code of a sale that made no ticket of it',
    ({ paper, cash }) => [
      `update block_codes set state = 'sold', order_id = ${orderId(cash.code)} where block_id = '${paper.id}' and number = 4`,
    ],
    ({ cash }) => cash.code,
  ],
  [
    'codesSold',
    'a code that disappeared',
    ({ paper }) => [`delete from block_codes where block_id = '${paper.id}' and number = 5`],
    () => 'Ravi, Paldi',
  ],
  [
    'entriesCounted',
    'a second person whom nobody recorded',
    ({ paid }) => [`delete from conflicts where ticket_id = '${firstOf(paid)}'`],
    ({ paid }) => firstOf(paid).slice(-8),
  ],
  [
    'entriesCounted',
    "a used ticket made valid again behind the gate's back",
    ({ paid }) => [
      `update tickets set status = 'active', entry_time = null, entry_scan_id = null where id = '${firstOf(paid)}'`,
    ],
    ({ paid }) => firstOf(paid).slice(-8),
  ],
  [
    'entriesCounted',
    'an entry without its scan',
    ({ paid }) => [`delete from scans where ticket_id = '${firstOf(paid)}' and outcome = 'admitted'`],
    ({ paid }) => firstOf(paid).slice(-8),
  ],
  [
    'codesSold',
    'a code sold by the phone that had given it back',
    ({ paper }) => [
      `update block_codes set returned_by_id = (select seller_id from orders where id = order_id) where block_id = '${paper.id}' and number = 1`,
    ],
    () => 'Ravi, Paldi',
  ],
  [
    'entriesCounted',
    'an admission taken back an hour later',
    ({ paid }) => [
      `update scans set undone_at = at + 3600000 where ticket_id = '${firstOf(paid)}' and outcome = 'conflict'`,
    ],
    () => '60 min later',
  ],
  [
    'entriesCounted',
    'an admission taken back an hour later, after its time was moved ahead',
    ({ paid }) => [
      `update scans set received_at = at, at = at + 3600000, undone_at = at + 3610000 where ticket_id = '${firstOf(paid)}' and outcome = 'conflict'`,
    ],
    () => '60 min later',
  ],
  [
    'entriesCounted',
    'a phone that may only sell lets somebody in',
    ({ paid }) => letInBy('Seller', 'sell', firstOf(paid)),
    () => 'Seller admitted someone by its code without the right to',
  ],
  [
    'entriesCounted',
    'a phone that may only scan lets somebody in by hand',
    ({ paid }) => letInBy('Scanner', 'scan', firstOf(paid), { manual: '1' }),
    () => 'Scanner admitted someone by hand without the right to',
  ],
  [
    'entriesCounted',
    'one swap after the other',
    ({ paid }) => [
      `insert into paired_devices (id, name, gates, rights, until, created_by_name, created_at, code_expires_at) values ('swapper', 'Gate B', '[]', '["supervise"]', 2, 'A', 1, 1)`,
      ...[1, 2].flatMap((n) => [
        aScan(firstOf(paid), {
          id: `'swap-${n}'`,
          sender_id: "'swapper'",
          sender_name: "'Swapper'",
          outcome: "'conflict'",
        }),
        `insert into conflicts (id, ticket_id, holder_name, over, disputed, first, second, created_at, revision) values ('swap-${n}', '${firstOf(paid)}', 'A', 'used', 1, '{}', '{}', 1, ${n})`,
      ]),
    ],
    () => 'Swapper admitted another person as its holder',
  ],
]

describe('the accountant finds', () => {
  test.each(CORRUPTIONS)('%s: %s', async (rule, _what, changes, row) => {
    const found = await findingsAfter(...changes(evening))
    expect(found.filter((finding) => finding.startsWith(`${rule}: `) && finding.includes(row(evening)))).toHaveLength(1)
  })

  test('each rule broken by at least one of these', () => {
    expect(new Set(CORRUPTIONS.map(([rule]) => rule))).toEqual(new Set(BOOK_RULES))
  })
})
