import { UNPROVEN_TICKETS_MAX } from '@garba/shared/constants'
import type { DeviceBlock } from '@garba/shared/contracts/phones/block'
import type { TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { BLOCK } from '@garba/shared/messages/gate'
import type { BlockRow, CashMeta, OutboxRow, SaleRow } from '../../platform/store/scannerSchema.ts'
import { buildSaleFacts, computeDraftTotal, countSold, type Draft, nextCodes } from '../core/sale.ts'
import { type Station, toJournalRow, toLocalAdmission } from '../core/scan.ts'
import { SCAN } from '../texts/scanner.ts'
import { publishNews } from './news.ts'
import { unsentSales } from './outbox.ts'
import { putAdmission, recordOfEntry } from './record.ts'
import { eventTimes } from './rosterMemory.ts'
import { readStore, type StoreIn, type Tx, writeRelaxed, writeStrict } from './scannerStore.ts'

/** How many sales known to the server are kept, for the list and in case the server loses them. */
const KEPT = 500

/** All that this phone has for selling; sales are newest first. Throws StorageFailure. */
export function readSelling() {
  return readStore(async (db) => {
    const tx = db.transaction(['sales', 'blocks', 'meta'])
    const [sales, blocks, cash, types] = await Promise.all([
      tx.objectStore('sales').getAll(),
      tx.objectStore('blocks').getAll(),
      tx.objectStore('meta').get('cash'),
      tx.objectStore('meta').get('types'),
    ])
    const newestFirst = sales.toSorted((a, b) => b.soldAt.localeCompare(a.soldAt))
    return {
      sales: newestFirst,
      blocks,
      cash: cash?.key === 'cash' ? cash : null,
      types: types?.key === 'types' ? types.types : [],
    }
  })
}

interface FilledSale {
  key: string
  draft: Draft
  station: Station
}

export function buildSaleRow({ key, draft, station }: FilledSale, total: number): SaleRow {
  const { quantity, type, method, admit } = draft
  return {
    key,
    state: 'asking',
    deviceId: station.deviceId,
    checkerName: station.checkerName,
    quantity,
    ...(type && { type }),
    method,
    admit,
    total,
    ...buildSaleFacts(draft),
    soldAt: new Date().toISOString(),
    clockOffset: station.clockOffset,
    gate: station.gate ?? null,
    tickets: [],
    order: null,
    parked: null,
  }
}

/**
 * Stores a sale before the server is asked for it, so that a phone that restarts meanwhile asks with the same key. Resolves to the
 * earlier row of that key, or null. Throws StorageFailure.
 */
export function keepAsking(row: SaleRow): Promise<SaleRow | null> {
  return writeStrict(['sales'], async (tx) => {
    const known = await tx.objectStore('sales').get(row.key)
    if (known === undefined) await tx.objectStore('sales').put(row)
    return known ?? null
  })
}

/** Stores that the server has made the sale. Resolves to false if that was known. Throws StorageFailure. */
export function settleAskedSale(row: SaleRow): Promise<boolean> {
  return writeStrict(['sales'], async (tx) => {
    const store = tx.objectStore('sales')
    const known = await store.get(row.key)
    await store.put(row)
    await prune(store)
    return known?.state !== 'done'
  })
}

/** Removes a sale that was not made, or that a person decided not to send. Throws StorageFailure. */
export const dropSale = (key: string): Promise<void> =>
  writeStrict(['sales'], (tx) => tx.objectStore('sales').delete(key))

/** The seller goes on without the server's answer: it stays unknown whether this was sold. Throws StorageFailure. */
export async function leaveUnknown({ key }: SaleRow): Promise<void> {
  await writeStrict(['sales'], async (tx) => {
    const row = await tx.objectStore('sales').get(key)
    if (row?.state === 'asking') await tx.objectStore('sales').put({ ...row, state: 'unknown' })
  })
}

const doneSales = () => IDBKeyRange.bound(['done', ''], ['done', '\uffff'])

const STORES = ['blocks', 'sales', 'outbox', 'admitted', 'qr_scan_history', 'tally', 'journal', 'meta'] as const

const countCashless = (rows: readonly SaleRow[], isCounted: (row: SaleRow) => boolean): number =>
  rows.reduce((sum, row) => (row.method !== 'cash' && isCounted(row) ? sum + countSold(row) : sum), 0)

/** Whether a sale without cash would exceed the limit that the desk has not yet reviewed. The server refuses it too. */
async function isOverCashless(tx: Tx<(typeof STORES)[number]>, { method, quantity }: Draft): Promise<boolean> {
  if (method === 'cash') return false
  const known = await tx.objectStore('meta').get('cashless')
  const { left, at } = known?.key === 'cashless' ? known : { left: UNPROVEN_TICKETS_MAX, at: '' }
  return countCashless(await tx.objectStore('sales').getAll(), ({ soldAt }) => soldAt > at) + quantity > left
}

/**
 * Sells codes of this phone's blocks. When it resolves, the codes have left their block, and sale, scans and local
 * status are on the disk. `scans` are the entries of buyers who went in at once. The same key sells once. Resolves to
 * the reason if nothing was sold. Throws StorageFailure.
 */
export async function sellBlockCodes(filled: FilledSale & { now: Date; evening: string }) {
  const { key, draft, station, now, evening } = filled
  return writeStrict(STORES, async (tx) => {
    const known = await tx.objectStore('sales').get(key)
    if (known && known.state !== 'asking') return { row: known, scans: [] as OutboxRow[] }
    if (await isOverCashless(tx, draft)) return 'cashless'
    const blocks = await tx.objectStore('blocks').getAll()
    const next = nextCodes(blocks, { ...draft, now })
    if (next === null) return 'tooFew'
    const { codes, prices } = next
    const row: SaleRow = {
      ...buildSaleRow(filled, computeDraftTotal(prices, draft)),
      state: 'unsent',
      tickets: codes.map(({ ticketId, qrCode }) => ({ id: ticketId, qrCode })),
      ...(draft.admit ? { scanIds: codes.map(() => crypto.randomUUID()) } : {}),
    }
    const scans = buildEntryScans(row, station)
    await takeOut(tx.objectStore('blocks'), blocks, new Set(codes.map(({ ticketId }) => ticketId)))
    await tx.objectStore('sales').put(row)
    for (const scan of scans) await putAdmission(tx, { ...letIn(scan, station), evening })
    return { row, scans }
  })
}

async function takeOut(store: StoreIn<'blocks'>, blocks: readonly BlockRow[], sold: ReadonlySet<string>) {
  for (const block of blocks) {
    const codes = block.codes.filter(({ ticketId }) => !sold.has(ticketId))
    if (codes.length < block.codes.length) await store.put({ ...block, codes })
  }
}

/**
 * The scans of a sale whose buyers go in at once. The sale carries their ids; they are also sent separately, so that they can be
 * undone and settled like any scan. The server may receive them with the sale, which counts as a try.
 */
function buildEntryScans(row: SaleRow, { epoch: _epoch, ...maker }: Station): OutboxRow[] {
  return (row.scanIds ?? []).map((scanId, index) => ({
    ...maker,
    scanId,
    ticketId: row.tickets[index]?.id ?? '',
    qrCode: row.tickets[index]?.qrCode ?? null,
    manual: false,
    scannedAt: row.soldAt,
    name: row.name ?? BLOCK.atDoor,
    attempts: 1,
    undo: false,
    parked: null,
  }))
}

const letIn = (row: OutboxRow, { epoch }: Station) => ({
  admission: toLocalAdmission(row),
  journal: toJournalRow(row, { event: eventTimes(), epoch }),
  row,
  record: recordOfEntry(row, { ending: 'pending', title: SCAN.pending, detail: SCAN.pendingDetail }),
})

/** Sales to send, oldest first; parked sales block nothing. Throws StorageFailure. */
export const salesToSend = async (): Promise<SaleRow[]> =>
  (await readStore((db) => db.getAllFromIndex('sales', 'inTurn', unsentSales()))).filter(
    ({ parked }) => parked === null,
  )

/**
 * Whether an unsent sale may still report codes of this device as sold; a parked sale may be sent again. The codes of a
 * sale that the server kept for the desk are already returned. Throws StorageFailure.
 */
export const maySendSales = async (id: string | undefined): Promise<boolean> =>
  (await readStore((db) => db.getAllFromIndex('sales', 'inTurn', unsentSales()))).some(
    ({ deviceId, parked }) => deviceId === id && parked?.code !== 'CODES_RETURNED',
  )

/** Throws StorageFailure. */
export const parkSale = (key: string, parked: NonNullable<SaleRow['parked']>): Promise<void> =>
  change(key, (row) => ({ ...row, parked }))

/** Stores that the server of this epoch has a sale. Throws StorageFailure. */
export async function settleSale(
  key: string,
  { order, unseated, noted, epoch }: { order: string | null; unseated: number; noted: boolean; epoch: number },
): Promise<void> {
  await change(key, (row) => ({
    ...row,
    state: 'done',
    order,
    epoch,
    ...(unseated === 0 ? {} : { unseated }),
    ...(noted ? { noted } : {}),
    parked: null,
  }))
}

/** Queues sales again that a server of an earlier epoch had. Their keys keep them from counting twice. Throws StorageFailure. */
export async function queueSalesAgain(epoch: number): Promise<void> {
  const isDue = (row: SaleRow) => row.epoch !== undefined && row.epoch < epoch
  if (!(await readStore((db) => db.getAllFromIndex('sales', 'inTurn', doneSales()))).some(isDue)) return
  await writeRelaxed(['sales'], async (tx) => {
    const store = tx.objectStore('sales')
    for (const row of (await store.index('inTurn').getAll(doneSales())).filter(isDue)) {
      const { epoch: _epoch, ...sale } = row
      await store.put({ ...sale, state: 'unsent' })
    }
  })
}

async function change(key: string, over: (row: SaleRow) => SaleRow): Promise<void> {
  await writeRelaxed(['sales'], async (tx) => {
    const store = tx.objectStore('sales')
    const row = await store.get(key)
    if (row?.state === 'unsent') await store.put(over(row))
    await prune(store)
  })
}

async function prune(store: StoreIn<'sales'>): Promise<void> {
  const over = (await store.index('inTurn').getAllKeys(doneSales())).slice(0, -KEPT)
  for (const key of over) await store.delete(key)
}

/** Throws StorageFailure. */
export async function keepCash(cash: CashMeta): Promise<void> {
  await writeRelaxed(['meta'], (tx) => tx.objectStore('meta').put(cash))
  publishNews('sales')
}

interface DeviceBlocks {
  blocks: readonly DeviceBlock[]
  types?: readonly TicketTypeOffer[] | undefined
  cashlessLeft: number
}

/** Stores the codes that the server lets this phone sell, without those sold here meanwhile. Throws StorageFailure. */
export async function saveBlocks({ blocks: listed, types = [], cashlessLeft: left }: DeviceBlocks): Promise<void> {
  await writeStrict(['blocks', 'sales', 'meta'], async (tx) => {
    const unheard = countCashless(await tx.objectStore('sales').getAll(), ({ state }) => state === 'unsent')
    await tx.objectStore('meta').put({ key: 'cashless', left: left - unheard, at: new Date().toISOString() })
    await tx.objectStore('meta').put({ key: 'types', types })
    const before = new Map((await tx.objectStore('blocks').getAll()).map((block) => [block.id, block]))
    await tx.objectStore('blocks').clear()
    for (const block of listed) await putBlock(tx, { ...block, returning: before.get(block.id)?.returning ?? false })
  })
}

/** Codes that the server has just signed for this phone. Throws StorageFailure. */
export const addBlock = (block: DeviceBlock): Promise<void> =>
  writeStrict(['blocks', 'sales', 'meta'], (tx) => putBlock(tx, { ...block, returning: false }))

async function putBlock(tx: Tx<'blocks' | 'sales' | 'meta'>, block: BlockRow): Promise<void> {
  const sold = new Set((await tx.objectStore('sales').getAll()).flatMap(({ tickets }) => tickets.map(({ id }) => id)))
  const codes = block.codes.filter(({ ticketId }) => !sold.has(ticketId))
  await tx.objectStore('blocks').put({ ...block, codes })
}

/** Stops the sale of these codes, even if the server's answer is lost. Throws StorageFailure. */
export async function stopSelling(): Promise<void> {
  await writeStrict(['blocks'], async (tx) => {
    const store = tx.objectStore('blocks')
    for (const block of await store.getAll()) await store.put({ ...block, returning: true })
  })
}

/** Throws StorageFailure. */
export const readBlocks = (): Promise<BlockRow[]> => readStore((db) => db.getAll('blocks'))

/** Removes a block that was returned to the server. Throws StorageFailure. */
export const dropBlock = (id: string): Promise<void> =>
  writeStrict(['blocks'], (tx) => tx.objectStore('blocks').delete(id))
