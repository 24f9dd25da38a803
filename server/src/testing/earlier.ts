/** Refunds as the version before `asking` kept them, with the jobs that ask for them. */
export const REFUNDS_BEFORE_ASKING = [
  `insert into events (id, name, venue, description, date, start_time, end_time, ticket_price_paise, total_tickets,
    taken_seats, features, created_at, updated_at)
    values ('event', 'Garba Rass 2025', 'Riverfront', 'One night', '2025-09-22', '18:30', '22:30', 29900, 500, 0, '[]', 1, 1)`,
  `insert into orders (id, event_id, code, provider, idempotency_key, quantity, total_paise, answer, created_at)
    values ('order', 'event', 'ORDER', 'razorpay', 'key-1234', 5, 149500, '{}', 1)`,
  `insert into payments (id, order_id, provider, provider_ref, provider_payment_id, amount_paise, state, created_at, updated_at)
    values ('payment', 'order', 'razorpay', 'plink_1', 'pay_1', 149500, 'captured', 1, 1)`,
  ...['new', 'lost', 'given', 'made', 'again'].map(
    (
      id,
    ) => `insert into tickets (id, event_id, order_id, buyer_name, buyer_email, price_paise, status, qr_code, created_at,
      updated_at, revision, search_text)
      values ('${id}', 'event', 'order', 'Garima', '', 29900, 'cancelled', 'GR1:', 1, 2, 2, '')`,
  ),
  ...[
    ['new', 'requested', 'new', 1],
    ['lost', 'requested', 'lost', 1],
    ['given', 'requested', 'given', 1],
    ['made', 'done', 'made', 1],
    ['failed', 'failed', 'again', 1],
    ['again', 'sent', 'again', 2],
  ].map(
    ([
      id,
      state,
      ticket,
      at,
    ]) => `insert into refunds (id, payment_id, ticket_id, kind, amount_paise, state, attempts, created_at,
      updated_at) values ('${id}', 'payment', '${ticket}', 'guest', 25900, '${state}', 0, ${at}, ${at})`,
  ),
  ...[
    ['new', 0, 'null', 0],
    ['lost', 3, 'null', 0],
    ['given', 60, '9', 1],
    ['made', 1, '9', 0],
  ].map(
    ([
      id,
      attempts,
      ended,
      gaveUp,
    ]) => `insert into jobs (id, kind, payload, created_at, due_at, attempts, ended_at, gave_up)
      values ('refund:${id}', 'refund', '{"refundId":"${id}"}', 1, 1, ${attempts}, ${ended}, ${gaveUp})`,
  ),
]

/** The same afterwards. */
export const REFUNDS_SINCE_ASKING = [
  { id: 'again', state: 'sent', of: 'failed' },
  { id: 'failed', state: 'failed', of: null },
  { id: 'given', state: 'asking', of: null },
  { id: 'lost', state: 'asking', of: null },
  { id: 'made', state: 'done', of: null },
  { id: 'new', state: 'requested', of: null },
]

/** Rows of a database with one event, as every version since the first release could have written them. */
export const OF_EARLIER_VERSIONS = [
  `insert into users (id, firebase_uid, email, email_verified, name, role, was_checker, created_at, search_text)
    values ('user', 'uid', 'guest@garba.test', 1, 'Garima Guest', 'guest', 0, 1, 'garima guest')`,
  `insert into events (id, name, venue, description, date, start_time, end_time, ticket_price_paise, total_tickets,
    taken_seats, features, created_at, updated_at)
    values ('event', 'Garba Rass 2025', 'Riverfront', 'One night', '2025-09-22', '18:30', '22:30', 29900, 500, 1, '[]', 1, 1)`,
  `insert into orders (id, user_id, idempotency_key, quantity, total_paise, answer, created_at)
    values ('order', 'user', 'key-1234', 1, 29900, '{}', 1)`,
  `insert into tickets (id, event_id, order_id, user_id, buyer_name, buyer_email, price_paise, status, qr_code, created_at,
    updated_at, entry_time, entry_scan_id, revision, search_text)
    values ('ticket', 'event', 'order', 'user', 'Garima Guest', 'guest@garba.test', 29900, 'used', 'GR1:', 1, 2, 2, 'scan', 2, '')`,
  `insert into scans (id, ticket_id, outcome, admitted_offline, manual, device_id, checker_id, checker_name, sender_id,
    sender_name, at, received_at, answer_status, answer)
    values ('scan', 'ticket', 'admitted', 0, 0, 'gate-a', 'checker', 'Chetan', 'checker', 'Chetan', 2, 2, 200, '{}')`,
  `insert into conflicts (id, ticket_id, holder_name, over, first, second, created_at, revision)
    values ('conflict', 'ticket', 'Garima Guest', 'used', '{}', '{}', 3, 3)`,
  `insert into refusals (at, code, checker_name) values (4, 'QR_FORGED', 'Chetan')`,
  `insert into audit (at, action, actor_name, subject, detail, search_text) values
    (1, 'event.created', 'Asha', 'event', '', ''), (1, 'user.role', 'Asha', 'user', '', ''),
    (1, 'ticket.sold', 'Garima Guest', 'user', '', '')`,
]
