import { setImmediate } from 'node:timers/promises'
import { type DoorSale, type DoorSaleResult, doorSaleResultSchema, doorSaleSchema } from '@garba/shared/contracts/block'
import { STATUS_OF } from '@garba/shared/contracts/codes'
import type { ScanFlag } from '@garba/shared/contracts/names'
import { parse } from '../../parse.ts'
import { failureBody, Refusal } from '../../refusal.ts'
import { isPassing } from '../../store/unusable.ts'
import { hasRight } from '../authenticate.ts'
import type { Deps, DeviceCaller } from '../deps.ts'
import { endOfDevice } from '../devices/authenticateDevice.ts'
import { sellAtDoor } from './doorSale.ts'

interface Replaying {
  sender: DeviceCaller
  sales: readonly unknown[]
  /** Counts a row against the sender's limit. Refuses with RATE_LIMITED. */
  count: () => Promise<void>
}

/**
 * Records sales that a phone made without a network, in order, each in a write of its own, so that a bad row fails alone. Other
 * requests get a turn between rows. Returns one result per row.
 */
export async function replaySales(deps: Deps, { sender, sales, count }: Replaying): Promise<DoorSaleResult[]> {
  const results: DoorSaleResult[] = []
  for (const [index, row] of sales.entries()) {
    results.push(await replay(deps, { sender, row, count: index === 0 ? async () => undefined : count }))
    await setImmediate()
  }
  return results
}

async function replay(
  deps: Deps,
  { sender, row, count }: Pick<Replaying, 'sender' | 'count'> & { row: unknown },
): Promise<DoorSaleResult> {
  const key = keyOf(row)
  try {
    await count()
    const sale = parse(doorSaleSchema, row)
    const sold = await sellAtDoor(deps, { sender, sale, flag: flagOf(deps, { sender, sale }) })
    return { key, success: true, status: 200, ...sold }
  } catch (error) {
    const { code, facts } = refusalOf(deps, error)
    return doorSaleResultSchema.parse({ key, ...failureBody(code, facts), status: STATUS_OF[code] })
  }
}

/**
 * Whether the desk should look at a sale. A phone that has ended reports what it sold before, and nothing that it claims from
 * later. Refuses with its end's code.
 */
function flagOf({ now }: Deps, { sender, sale }: { sender: DeviceCaller; sale: DoorSale }): ScanFlag | null {
  const end = endOfDevice(sender.device, now())
  if (end && Date.parse(sale.soldAt) + (sale.clockOffset ?? 0) >= end.at.getTime()) throw new Refusal(end.code)
  if (end) return end.code === 'DEVICE_REVOKED' ? 'revoked' : 'lapsed'
  return hasRight(sender, sale.method === 'complimentary' ? 'complimentary' : 'sell') ? null : 'noRight'
}

/** Only an unavailable database is worth another try; a row that fails for its own reason would fail again. */
function refusalOf({ log }: Deps, error: unknown): Refusal {
  // Of all rows alike: they are sent again.
  if (error instanceof Refusal && error.code === 'READ_ONLY') throw error
  if (error instanceof Refusal) return error
  log.error({ err: error }, 'a sale at the door could not be recorded')
  return new Refusal(isPassing(error) ? 'UNAVAILABLE' : 'SALE_NOT_RECORDED')
}

const keyOf = (row: unknown): string | null =>
  typeof row === 'object' && row !== null && 'key' in row && typeof row.key === 'string' ? row.key.slice(0, 128) : null
