import { setImmediate } from 'node:timers/promises'
import { STATUS_OF } from '@garba/shared/contracts/codes'
import type { ScanFlag } from '@garba/shared/contracts/names'
import {
  type DoorSale,
  type DoorSaleResult,
  doorSaleResultSchema,
  doorSaleSchema,
} from '@garba/shared/contracts/phones/block'
import { failureBody, parse, Refusal } from '../../refusal.ts'
import { isPassing } from '../../store/engine/unusable.ts'
import { hadRight, hasRight } from '../authenticate.ts'
import type { Deps, DeviceCaller } from '../deps.ts'
import { type DeviceEnd, deviceAgain, endOfDevice, noteEndHeard } from '../phones/authenticateDevice.ts'
import { sellAtDoor } from './doorSale.ts'

interface Replaying {
  sender: DeviceCaller
  sales: readonly unknown[]
  /** Counts a row against the sender's limit. Refuses with RATE_LIMITED. */
  count: () => Promise<void>
}

/**
 * Records sales that a phone made offline, in order, each in a write of its own, so that a bad row fails alone. Other
 * requests get a turn between rows, and the phone is read again for each row, so losing a right takes effect from the
 * next row on. Returns one result per row, and for an ended phone its end, which it learns from this answer.
 */
export async function replaySales(
  deps: Deps,
  { sender, sales, count }: Replaying,
): Promise<{ results: DoorSaleResult[]; ended?: DeviceEnd['code'] }> {
  const results: DoorSaleResult[] = []
  let current: DeviceCaller | null = sender
  for (const [index, row] of sales.entries()) {
    if (index > 0) current = await deviceAgain(deps, sender)
    results.push(await replay(deps, { sender: current, row, count: index === 0 ? async () => undefined : count }))
    await setImmediate()
  }
  const end = current && endOfDevice(current.device, deps.now())
  if (!current || !end) return { results }
  await noteEndHeard(deps, current)
  return { results, ended: end.code }
}

async function replay(
  deps: Deps,
  { sender, row, count }: Pick<Replaying, 'count'> & { sender: DeviceCaller | null; row: unknown },
): Promise<DoorSaleResult> {
  const key = keyOf(row)
  try {
    await count()
    // Another phone has replaced it.
    if (!sender) throw new Refusal('UNAUTHENTICATED')
    const sale = parse(doorSaleSchema, row)
    const standing = await standingOf(deps, { sender, sale })
    const sold = await sellAtDoor(deps, { sender, sale, ...standing })
    return { key, success: true, status: 200, ...sold }
  } catch (error) {
    const { code, facts } = refusalOf(deps, error)
    return doorSaleResultSchema.parse({ key, ...failureBody(code, facts), status: STATUS_OF[code] })
  }
}

interface Standing {
  flag: ScanFlag | null
  noted: boolean
}

/**
 * Decides how a sale counts. The desk looks at sales that a phone reports after it has ended or lost the right to sell.
 * Sales made after that are only noted.
 */
async function standingOf(deps: Deps, { sender, sale }: { sender: DeviceCaller; sale: DoorSale }): Promise<Standing> {
  const now = deps.now()
  const end = endOfDevice(sender.device, now)
  const at = new Date(Math.min(Date.parse(sale.soldAt) + (sale.clockOffset ?? 0), now.getTime()))
  const right = sale.method === 'complimentary' ? 'complimentary' : 'sell'
  if ((end && at >= end.at) || !(await hadRight(deps, sender, right, at))) return { flag: null, noted: true }
  if (end) return { flag: end.code === 'DEVICE_REVOKED' ? 'revoked' : 'lapsed', noted: false }
  return { flag: hasRight(sender, right) ? null : 'noRight', noted: false }
}

/** Only an unavailable database is worth another try; any other failure would repeat. */
function refusalOf({ log }: Deps, error: unknown): Refusal {
  // It concerns all rows alike, so they are sent again.
  if (error instanceof Refusal && error.code === 'READ_ONLY') throw error
  if (error instanceof Refusal) return error
  log.error({ err: error }, 'a sale at the door could not be recorded')
  return new Refusal(isPassing(error) ? 'UNAVAILABLE' : 'SALE_NOT_RECORDED')
}

const keyOf = (row: unknown): string | null =>
  typeof row === 'object' && row !== null && 'key' in row && typeof row.key === 'string' ? row.key.slice(0, 128) : null
