import { callServer } from '../../platform/http/call.ts'
import { epochNow } from '../../platform/http/epoch.ts'
import { hasPhoneRight, pairingNow } from '../core/pairing.ts'
import {
  addBlock,
  dropBlock,
  maySendSales,
  queueSalesAgain,
  readBlocks,
  saveBlocks,
  stopSelling,
} from '../store/sales.ts'
import { refreshCash } from './cash.ts'
import { askEachMinute, scannerCall } from './connection.ts'
import { sendOutbox } from './replayer.ts'

/** Signing a hundred codes over a bad network takes a while (ms). */
const TIMEOUT_MS = 30_000

/** Calls about blocks come one after another: an older answer must not undo a newer answer. */
let last: Promise<unknown> = Promise.resolve()
function inTurn<T>(act: () => Promise<T>): Promise<T> {
  const run = last.then(act)
  last = run.catch(() => undefined)
  return run
}

/** Takes codes for selling without a network; their seats are taken. Throws ApiFailure, or StorageFailure. */
export const takeCodes = (size: number, type?: string): Promise<void> =>
  inTurn(async () => {
    const { block } = await scannerCall('allotBlock', {
      body: { size, ...(type === undefined ? {} : { type }) },
      timeoutMs: TIMEOUT_MS,
    })
    await addBlock(block)
  })

/**
 * Returns the unsold codes. Their sale stops at once, even if an answer is lost; then they are returned with the next refresh.
 * Resolves to false when sales must be sent first. Throws ApiFailure, or StorageFailure.
 */
export const returnUnsoldCodes = (): Promise<boolean> =>
  inTurn(async () => {
    await stopSelling()
    await sendOutbox()
    return giveBack()
  })

/** Sales go first, because the server would sell again a code that it does not know as sold. */
async function giveBack(): Promise<boolean> {
  const blocks = (await readBlocks()).filter(({ returning }) => returning)
  if (blocks.length > 0) {
    // The next answer may be the first of a restored server, which may lack sales that it had before.
    await callServer('ownDevice', { retries: 0 })
    await queueSalesAgain(epochNow())
  }
  if (await maySendSales(pairingNow()?.device.id)) return false
  for (const { id } of blocks) {
    await scannerCall('returnDeviceBlock', { params: { id } })
    await dropBlock(id)
  }
  return true
}

/** Reads which codes this phone may still sell, and completes returns that have begun. Never throws. */
export const refreshBlocks = (): Promise<void> =>
  inTurn(async () => {
    const paired = pairingNow()
    if (paired === null || paired.ended !== null) return
    try {
      if (!hasPhoneRight('sell') && (await readBlocks()).length > 0) await stopSelling()
      await giveBack()
      if (hasPhoneRight('sell')) await saveBlocks(await scannerCall('deviceBlocks', {}))
    } catch (error) {
      console.info('The codes for sale were not refreshed', error)
    }
  })

export const followSelling = (): (() => void) =>
  askEachMinute(() => {
    void refreshBlocks()
    void refreshCash()
  })
