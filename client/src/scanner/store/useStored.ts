import { create } from 'zustand'
import { markUnsentScans } from '../../platform/store/local.ts'
import type {
  BlockRow,
  CashMeta,
  ConflictRow,
  DeviceMeta,
  HistoryRecord,
  SaleRow,
  Tally,
  TypesMeta,
} from '../../platform/store/scannerSchema.ts'
import { eveningNow } from '../core/moment.ts'
import { readOpenConflicts } from './conflicts.ts'
import { rereadDevice } from './device.ts'
import { reportStorageFailure } from './failure.ts'
import type { News } from './news.ts'
import { readUnsent, type Unsent } from './outbox.ts'
import { readPairing } from './pairing.ts'
import { readHistory, readTally } from './record.ts'
import { loadSold } from './rosterMemory.ts'
import { readSelling } from './sales.ts'

const EMPTY = {
  history: [] as readonly HistoryRecord[],
  tally: { evening: '', scanned: 0, valid: 0, rejected: 0 } as Tally,
  /** null until the outbox has been read; until then nothing counts as sent. */
  unsent: null as Unsent | null,
  conflicts: [] as readonly ConflictRow[],
  device: { key: 'device', id: '', name: '' } as DeviceMeta,
  sales: [] as readonly SaleRow[],
  blocks: [] as readonly BlockRow[],
  cash: null as CashMeta | null,
  types: [] as TypesMeta['types'],
}
type StoredState = typeof EMPTY
export const useStored = create(() => EMPTY)

async function unsentNow() {
  const unsent = await readUnsent()
  markUnsentScans(unsent.count)
  return { unsent }
}

const READERS: Readonly<Record<News, () => Promise<Partial<StoredState>>>> = {
  history: async () => ({ history: await readHistory(), tally: await readTally(eveningNow()) }),
  outbox: unsentNow,
  sales: async () => {
    const { sales, ...others } = await readSelling()
    loadSold(sales)
    return { sales, ...others, ...(await unsentNow()) }
  },
  conflicts: async () => ({ conflicts: await readOpenConflicts() }),
  device: async () => {
    await readPairing()
    return { device: await rereadDevice() }
  },
  roster: async () => ({}),
}
export const ALL_NEWS = Object.keys(READERS) as News[]

let reading = false
const waiting = new Set<News>()

/** Reads what changed; changes that arrive meanwhile are read together afterwards. Never throws. */
export async function refreshStored(news: Iterable<News>): Promise<void> {
  for (const one of news) waiting.add(one)
  if (reading) return
  reading = true
  while (waiting.size > 0) {
    const now = [...waiting]
    waiting.clear()
    try {
      const parts = await Promise.all(now.map((one) => READERS[one]()))
      useStored.setState(Object.assign({}, ...parts) as Partial<StoredState>)
    } catch (error) {
      reportStorageFailure(error)
    }
  }
  reading = false
}
