import { PAYING } from '../../../../server/src/testing/world.ts'
import { codesIn, computeDraftTotal, type Draft } from '../core/sale.ts'
import { decideScan } from '../scan/decide.ts'
import { finishScan } from '../scan/finish.ts'
import { readBlocks } from '../store/sales.ts'
import { openCash } from '../sync/cash.ts'
import { type SaleEnd, sellHere, sellOnline } from '../sync/sell.ts'
import { made, type PairedPhone, takePairedPhone } from './phone.ts'

export const SELLER = { name: 'Door', rights: ['scan', 'undo', 'sell', 'complimentary'] }
/** A phone whose seller has opened a drawer with nothing in it. */
export async function takeSeller(
  device: Record<string, unknown> = SELLER,
  event: Record<string, unknown> = {},
  settings: Record<string, string> = {},
): Promise<PairedPhone> {
  const phone = await takePairedPhone(device, { settings: { ...PAYING, ...settings } }, event)
  await openCash(0)
  return phone
}

export const sale = (over: Partial<Draft> = {}): Draft => ({
  quantity: 1,
  type: null,
  method: 'cash',
  name: '',
  phone: '',
  reason: '',
  reference: '',
  admit: false,
  ...over,
})
export const newKey = () => crypto.randomUUID()
const PRICES = { price: 299, groupPrice: 249 }
export const online = (draft: Draft, key = newKey(), prices = PRICES) =>
  sellOnline({ key, draft, total: computeDraftTotal(prices, draft) })
export const here = (draft: Draft, key = newKey()) => sellHere({ key, draft })

export function rowOf(end: SaleEnd) {
  if (end.type !== 'sold') throw new Error(`Not sold: ${end.message}`)
  return end.row
}
export async function scan(text: string | null | undefined) {
  const scanned = await made({ type: 'code', text: text ?? '' })
  return finishScan(await decideScan(scanned), scanned)
}
export const rows = ({ world }: PairedPhone, sql: string) => world.sqliteStore().sqlite.prepare(sql).all()
export const orders = (phone: PairedPhone) =>
  rows(
    phone,
    'select channel, quantity, provider, buyer_name as name, seller_name as by, total_paise as paise from orders order by rowid',
  )
export const codesLeft = async () => codesIn(await readBlocks())
