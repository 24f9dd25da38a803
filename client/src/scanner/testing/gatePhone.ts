import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import type { GatePhone, Verdict } from '../../../../server/src/testing/protocol/gatePhone.ts'
import { useConfig } from '../../platform/config.ts'
import { useEpoch } from '../../platform/http/epoch.ts'
import { onSessionEnd } from '../../platform/http/tokens.ts'
import { useClock } from '../../platform/net/clock.ts'
import { markOffline, markOnline } from '../../platform/net/connectivity.ts'
import type { ScannerSchema } from '../../platform/store/scannerSchema.ts'
import { endNow, hasPhoneRight, pairingNow, setPairing } from '../core/pairing.ts'
import type { Subject } from '../core/scan.ts'
import { askToSwap, scanIdOfSwap } from '../scan/askServer.ts'
import { decideScan, outcomeOfSwap } from '../scan/decide.ts'
import { finishScan } from '../scan/finish.ts'
import { lookAtGroup } from '../scan/group.ts'
import { countWithoutCode, recordLeaving } from '../scan/leave.ts'
import { readOpenConflicts } from '../store/conflicts.ts'
import { stationNow } from '../store/device.ts'
import { readUnsent } from '../store/outbox.ts'
import { readPairing } from '../store/pairing.ts'
import { readHistory, undoableAdmission } from '../store/record.ts'
import {
  findableEntries,
  forgetRoster,
  loadAdmitted,
  loadRoster,
  loadSold,
  readRoster,
  setListStreaming,
  useRoster,
} from '../store/rosterMemory.ts'
import { readSelling } from '../store/sales.ts'
import { readStore, type StoreName, writeRelaxed } from '../store/scannerStore.ts'
import { refreshBlocks, returnUnsoldCodes, takeCodes } from '../sync/blocks.ts'
import { followConnectivity, useConnection } from '../sync/connection.ts'
import { endPairing, endsPairing, pairPhone, refreshDevice, signAsDevice, startShift } from '../sync/pairing.ts'
import { sendOutbox, useReplay } from '../sync/replayer.ts'
import { sellHere } from '../sync/sell.ts'
import { checkRoster, syncRoster } from '../sync/syncRoster.ts'
import { undoOwnAdmission } from '../sync/undoAdmission.ts'

type Rows = { [N in StoreName]?: ScannerSchema[N]['value'][] }

/** What the phone had on its disk after pairing, and the clock it had learned. */
let kept: { rows: Rows; epoch: number; offset: number } = { rows: {}, epoch: -1, offset: 0 }

async function storeNames(): Promise<StoreName[]> {
  return readStore(async (db) => [...db.objectStoreNames])
}

async function rowsOf(names: readonly StoreName[]): Promise<Rows> {
  return readStore(async (db) => {
    const tx = db.transaction([...names])
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await tx.objectStore(name).getAll()])))
  })
}

let ending: Promise<void> = Promise.resolve()

/** Until nothing that the last step began is under way. */
async function waitForPendingWork(): Promise<void> {
  await ending
  do await new Promise((resolve) => setImmediate(resolve))
  while (useReplay.getState().status === 'sending')
  // What the server has admitted is written without anybody waiting for it.
  await readStore((db) => db.count('journal'))
  await ending
}

async function reload(): Promise<void> {
  await readPairing()
  loadRoster(await readRoster())
  loadSold((await readSelling()).sales)
}

/** One real scanner without its screens and camera: everything from a read code to the disk and the server. */
const phone: GatePhone = {
  disk: new IDBFactory(),

  async pair(code) {
    setPairing({ type: 'none' })
    followConnectivity()
    signAsDevice()
    // As signAsDevice does, and known here until it is done: it opens the phone's database anew.
    onSessionEnd((code, by) => {
      const ends = endsPairing(code, by)
      if (ends) ending = endPairing(code, by)
      return ends
    })
    const paired = await pairPhone(code)
    if (!paired.ok) throw new Error(paired.message)
    await startShift('Ravi')
    await refreshDevice()
    await syncRoster()
    await waitForPendingWork()
    const rows = await rowsOf(await storeNames())
    kept = { rows, epoch: useEpoch.getState().epoch, offset: useClock.getState().offset }
  },

  async reset() {
    const names = await storeNames()
    const dirty = await readStore(async (db) => {
      const tx = db.transaction(names)
      const counts = await Promise.all(names.map(async (name) => [name, await tx.objectStore(name).count()] as const))
      return counts.filter(([name, count]) => count > 0 || (kept.rows[name] ?? []).length > 0).map(([name]) => name)
    })
    await writeRelaxed(dirty, async (tx) => {
      for (const name of dirty) {
        await tx.objectStore(name).clear()
        for (const row of kept.rows[name] ?? []) await tx.objectStore(name).put(row as never)
      }
    })
    localStorage.clear()
    useEpoch.setState({ epoch: kept.epoch })
    useClock.setState({ offset: kept.offset })
    setListStreaming(false)
    loadAdmitted([])
    forgetRoster()
    loadRoster({ entries: [], admitted: [], meta: null })
    await reload()
    markOnline()
    useConnection.setState({ connection: { type: 'server' } })
  },

  async scan(wanted, { dies }): Promise<Verdict | null> {
    const station = await stationNow()
    if (station === null) return null
    const scanId = crypto.randomUUID()
    let subject: Subject = wanted
    if (subject.type === 'member') {
      const { text, ticketId } = subject
      const found = await lookAtGroup({ scan: { scanId, subject: { type: 'code', text }, at: Date.now() }, station })
      const member = 'members' in found ? found.members.find((one) => one.ticketId === ticketId) : undefined
      if (!member || member.refusal !== null) return { scanId, look: 'refused' }
      subject = { ...subject, proven: member.proven }
    }
    const made = { scan: { scanId, subject, at: Date.now() }, station }
    const outcome = await decideScan(made)
    if (dies) return { scanId: made.scan.scanId, look: 'died' }
    const shown = await finishScan(outcome, made)
    return { scanId: made.scan.scanId, look: shown.look, title: shown.title }
  },

  async leave(subject) {
    const station = await stationNow()
    if (station === null || !hasPhoneRight('scan')) return null
    const { scanId, look } = await recordLeaving({
      scan: { scanId: crypto.randomUUID(), subject, at: Date.now() },
      station,
    })
    return { scanId, look }
  },

  count: (change) => countWithoutCode('other', change).catch(() => null),

  async swap(ticketId) {
    const station = await stationNow()
    if (station === null || !hasPhoneRight('supervise')) return null
    const made = {
      scan: { scanId: scanIdOfSwap(ticketId), subject: { type: 'hand', ticketId }, at: Date.now() },
      station,
    } as const
    const { scanId, look } = await finishScan(outcomeOfSwap(await askToSwap(made.scan, station)), made)
    return { scanId, look }
  },

  async takeCodes() {
    await takeCodes(3).catch(() => undefined)
  },

  async sell({ admit }) {
    const draft = {
      quantity: 2,
      type: null,
      method: 'complimentary',
      name: '',
      phone: '',
      reason: 'Crew',
      reference: '',
      admit,
    } as const
    const end = await sellHere({ key: crypto.randomUUID(), draft })
    return end.type === 'sold' ? end.row : null
  },

  async returnCodes() {
    await returnUnsoldCodes().catch(() => undefined)
    await refreshBlocks()
  },

  async undo() {
    if (!hasPhoneRight('undo')) return null
    const history = await readHistory()
    const station = await stationNow()
    const newest = history.find(({ ending }) => ['admitted', 'pending', 'left', 'leaving'].includes(ending))
    if (!newest?.ticket || !station) return null
    const query = { ticketId: newest.ticket.id, checkerName: station.checkerName, now: Date.now() }
    const mine = undoableAdmission(history, query)
    if (mine === null) return null
    const answer = await undoOwnAdmission(mine)
    await waitForPendingWork()
    return { scanId: mine.scanId, ok: answer.ok }
  },

  stream: setListStreaming,

  async list() {
    await syncRoster().catch(() => undefined)
  },

  async loseList() {
    await writeRelaxed(['roster', 'meta'], async (tx) => {
      await tx.objectStore('roster').clear()
      await tx.objectStore('meta').delete('roster')
    })
    await reload()
  },

  refreshDevice,

  async sync() {
    await syncRoster().catch(() => undefined)
    await sendOutbox()
    await waitForPendingWork()
  },

  async restart() {
    await waitForPendingWork()
    useEpoch.setState({ epoch: Number(localStorage.getItem('epoch') ?? kept.epoch) })
    setListStreaming(false)
    loadAdmitted([])
    loadRoster({ entries: [], admitted: [], meta: null })
    await reload()
    markOnline()
    useConnection.setState({ connection: { type: 'unknown' } })
  },

  cut(isCut) {
    if (isCut) markOffline()
    else markOnline()
  },

  settled: waitForPendingWork,

  end: endNow,
  lists: (ticketId) => findableEntries().some(({ id }) => id === ticketId),

  async state() {
    const ended = pairingNow()?.ended?.why ?? null
    const same = ended === null ? (await checkRoster()).same : true
    const { count, parked } = await readUnsent()
    const conflicts = (await readOpenConflicts()).map(({ ticketId }) => ticketId)
    const rows = await readStore((db) => db.getAll('outbox'))
    const why = rows.map(({ scanId, parked }) => ({ scanId, code: parked?.code ?? null }))
    return { unsent: count, parked, conflicts, ended, same, why, people: useRoster.getState().people }
  },

  prepare(publicUrl) {
    useConfig.setState({ config: { publicUrl, timezone: 'Asia/Kolkata' } as never })
  },
}

export default phone
