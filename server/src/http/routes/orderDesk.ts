import type { OrderListed } from '@garba/shared/contracts/order'
import { deskOrder, everyOrder, listOrders } from '../../flows/money/deskOrders.ts'
import { type Columns, csvOf, fileAnswer } from '../csv.ts'
import type { Routes } from '../mount.ts'

const COLUMNS: Columns<OrderListed> = [
  ['Order', (order) => order.code],
  ['Placed', (order) => order.createdAt],
  ['State', (order) => order.state],
  ['Channel', (order) => order.channel],
  ['Provider', (order) => order.provider],
  ['Name', (order) => order.buyer.name],
  ['Email', (order) => order.buyer.email],
  ['Phone', (order) => order.buyer.phone],
  ['Tickets', (order) => order.quantity],
  ['Total', (order) => order.total],
  ['Received', (order) => order.captured],
  ['Refunded', (order) => order.refunded],
  ['UTR', (order) => order.utr ?? null],
  ['Sold by', (order) => order.seller],
]

export const orderDeskRoutes = {
  deskOrders: ({ deps, query }) => listOrders(deps, query),
  deskOrder: async ({ deps, params }) => ({ order: await deskOrder(deps, params.code ?? '') }),
  exportOrders: async ({ deps, query, c }) => {
    const text = await csvOf(COLUMNS, await everyOrder(deps, query))
    return fileAnswer(c, { name: 'orders.csv', type: 'text/csv', text })
  },
} satisfies Routes
