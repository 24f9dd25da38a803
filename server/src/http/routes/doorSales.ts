import { activateCodes, blockSheet, listBlocks, makeBlock, returnPaper } from '../../flows/doorSales/blocks.ts'
import { allotBlock, deviceBlocks, returnDeviceBlock } from '../../flows/doorSales/deviceBlocks.ts'
import { replaySales } from '../../flows/doorSales/replaySales.ts'
import { recordUnsentRows } from '../../flows/gate/roster.ts'
import { addServerTime, findIdempotencyKey } from '../context.ts'
import type { Routes } from '../mount.ts'
import { unsentAfter } from './gate.ts'

export const doorSaleRoutes = {
  blocks: async ({ deps }) => ({ blocks: await listBlocks(deps) }),
  makeBlock: async ({ deps, user, body, c }) => ({
    block: await makeBlock(deps, { ...body, admin: user, idempotencyKey: findIdempotencyKey(c) }),
  }),
  blockSheet: async ({ deps, params, c }) => {
    const { name, pdf } = await blockSheet(deps, params.id)
    const headers = { 'Content-Type': 'application/pdf', 'Content-Disposition': `attachment; filename="${name}"` }
    return c.body(pdf, 200, headers)
  },
  activateBlock: ({ deps, user, body, params, c }) =>
    activateCodes(deps, { ...body, admin: user, ...params, idempotencyKey: findIdempotencyKey(c) }),
  returnBlock: async ({ deps, user, body, params }) => ({
    block: await returnPaper(deps, { ...body, admin: user, ...params }),
  }),
  allotBlock: async ({ deps, user, body }) =>
    addServerTime(deps, { block: await allotBlock(deps, { ...body, device: user }) }),
  deviceBlocks: async ({ deps, user }) => addServerTime(deps, await deviceBlocks(deps, user)),
  returnDeviceBlock: async ({ deps, user, params }) => ({
    returned: await returnDeviceBlock(deps, { device: user, ...params }),
  }),
  doorSales: async ({ deps, limits, user, body, c }) => {
    const answer = await replaySales(deps, {
      sender: user,
      sales: body.sales,
      count: () => limits.count('user', user.id),
    })
    await recordUnsentRows(deps, { device: user, left: unsentAfter(c), results: answer.results })
    return answer
  },
} satisfies Routes
