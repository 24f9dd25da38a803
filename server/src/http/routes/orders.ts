import { cancelOrder } from '../../flows/money/orders/cancelOrder.ts'
import { giveUtr, myOrders, oneOrder, placeOrder } from '../../flows/money/orders/guestOrders.ts'
import { receiveEvent } from '../../flows/money/orders/webhooks.ts'
import { idempotencyKeyOf, languageOf } from '../context.ts'
import type { Routes } from '../mount.ts'

export const orderRoutes = {
  placeOrder: async ({ deps, user, body, c }) => ({
    order: await placeOrder(deps, {
      user,
      quantity: body.quantity,
      provider: body.provider,
      idempotencyKey: idempotencyKeyOf(c),
      language: languageOf(c),
    }),
  }),
  myOrders: ({ deps, user, query }) => myOrders(deps, { ...query, user }),
  order: async ({ deps, user, params }) => ({
    order: await oneOrder(deps, { user, code: params.code ?? '' }),
    serverTime: deps.now().toISOString(),
  }),
  cancelOrder: async ({ deps, user, params }) => ({
    order: await cancelOrder(deps, { user, code: params.code ?? '' }),
  }),
  giveUtr: async ({ deps, user, body, params }) => ({
    order: await giveUtr(deps, { user, code: params.code ?? '', utr: body.utr }),
  }),
  razorpayWebhook: async ({ deps, raw, c }) => {
    await receiveEvent(deps, { body: raw, headers: c.req.raw.headers })
    return {}
  },
} satisfies Routes
