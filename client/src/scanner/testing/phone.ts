import 'fake-indexeddb/auto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { decodeQr } from '@garba/shared/rules/qr'
import { expect, onTestFinished, vi } from 'vitest'
import { bought, codeOf, putOnSale } from '../../../../server/src/testing/scenes.ts'
import { type Client, makeWorld, type World, type WorldOptions } from '../../../../server/src/testing/world.ts'
import { useEpoch } from '../../platform/http/epoch.ts'
import { setTokenSource } from '../../platform/http/tokens.ts'
import { useSessionStore } from '../../platform/identity/session.ts'
import { markOffline, markOnline } from '../../platform/net/connectivity.ts'
import { stubLocalStorage } from '../../platform/testing/localStorage.ts'
import { eveningNow } from '../core/moment.ts'
import { setPairing } from '../core/pairing.ts'
import { type Scan, type Subject, toJournalRow, toLocalAdmission } from '../core/scan.ts'
import { stationNow } from '../store/device.ts'
import {
  addLocalAdmission,
  eventTimes,
  forgetRoster,
  loadRoster,
  readRoster,
  setListStreaming,
} from '../store/rosterMemory.ts'
import { readStore } from '../store/scannerStore.ts'
import { followConnectivity } from '../sync/connection.ts'
import { pairPhone, refreshDevice, signAsDevice, startShift } from '../sync/pairing.ts'
import { useReplay } from '../sync/replayer.ts'
import { syncRoster } from '../sync/syncRoster.ts'

/** The call never arrives; or it does, and its answer is lost; or something else than our server answers. */
export type Fault = 'cutBefore' | 'cutAfter' | (() => Response)

/** What a scanner needs of a page, and the network between it and the real server, which runs in this process. */
export interface Phone {
  world: World
  guest: Client
  /** No call is answered from now on, or calls are again. */
  cut(isCut: boolean): void
  /** Answers to these paths are held back until the returned function is called; the server gets the calls at once. */
  hold(path: RegExp): () => void
  /** What happens to calls to these paths from now on, until the returned function is called. */
  fault(path: RegExp, act: Fault): () => void
  /** From now on the calls reach this server, as after a restore from a backup. */
  meet(next: World): void
  /** Paths the server was asked for since the last time this was read. */
  asked(): string[]
}

/** A checker's phone with an empty store and the server's list, before an event on sale. */
export async function takePhone(options: WorldOptions = {}, event: Record<string, unknown> = {}): Promise<Phone> {
  const world = await makeWorld(options)
  const phone = connect(world)
  await emptyStore()
  await signInAs(await world.as('qrchecker'))
  setPairing({ type: 'none' })
  forgetRoster()
  markOnline()
  await putOnSale(world, event)
  await syncRoster()
  phone.asked()
  return { world, guest: await world.as('guest'), ...phone }
}

/** A checker signs in on the phone. */
export async function signInAs(checker: Client): Promise<void> {
  setTokenSource(async () => ({ token: async () => checker.token }))
  const { user } = (await checker.request('GET', '/api/auth/me')).body as { user: never }
  useSessionStore.setState({ session: { type: 'signedIn', user, confirmed: true } })
}

export interface PairedPhone extends Phone {
  id: string
  admin: Client
  /** The desk's call about this phone. */
  change(body: Record<string, unknown>): Promise<void>
}

/** Prepares a device at the desk; the pairing code is the one people read. */
export async function newCode(
  admin: Client,
  device: Record<string, unknown> = {},
): Promise<{ id: string; code: string }> {
  const { status, body } = await admin.request('POST', '/api/admin/devices', { name: 'Gate A', ...device })
  if (status !== 201) throw new Error(`No device: ${JSON.stringify(body)}`)
  const { device: made, pairing } = body as { device: { id: string }; pairing: { code: string } }
  return { id: made.id, code: pairing.code }
}

/** A volunteer's phone: nobody signs in, and it is not paired yet. */
export async function takeUnpairedPhone(
  options: WorldOptions = {},
  event: Record<string, unknown> = {},
): Promise<Phone & { admin: Client }> {
  const world = await makeWorld(options)
  const phone = connect(world)
  await emptyStore()
  setPairing({ type: 'none' })
  useSessionStore.setState({ session: { type: 'signedOut' } })
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('navigator', { ...navigator, onLine: true, userAgent: 'Mozilla/5.0 (Linux; Android 16)' })
  onTestFinished(() => setPairing({ type: 'none' }))
  signAsDevice()
  forgetRoster()
  markOnline()
  await putOnSale(world, event)
  return { world, guest: await world.as('guest'), admin: await world.as('admin'), ...phone }
}

/** The same phone, paired as Gate A, with the first shift's name and the server's list. */
export async function takePairedPhone(
  device: Record<string, unknown> = {},
  options: WorldOptions = {},
  event: Record<string, unknown> = {},
): Promise<PairedPhone> {
  const phone = await takeUnpairedPhone(options, event)
  const { id, code } = await newCode(phone.admin, device)
  const paired = await pairPhone(code)
  if (!paired.ok) throw new Error(paired.message)
  await startShift('Ravi')
  await refreshDevice()
  await syncRoster()
  phone.asked()
  return {
    ...phone,
    id,
    async change(body) {
      const { status } = await (await phone.world.as('admin')).request('PATCH', `/api/admin/devices/${id}`, body)
      if (status !== 200) throw new Error(`The desk could not change the device: ${status}`)
    },
  }
}

const SENT_WITHIN_MS = 30_000

/** The network to a world, and the page's local storage, with what an earlier page may have kept in it. */
export function connect(
  world: World,
  before: Record<string, string> = {},
): Pick<Phone, 'cut' | 'hold' | 'fault' | 'asked' | 'meet'> {
  stubLocalStorage({ 'garba.signedIn': '1', ...before })
  let server = world
  let isCut = false
  let held: { path: RegExp; until: Promise<void> } | null = null
  let faulty: { path: RegExp; act: Fault } | null = null
  let paths: string[] = []
  const AtHome = class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(typeof input === 'string' ? new URL(input, 'http://localhost') : input, init)
    }
  }
  vi.stubGlobal('Request', AtHome)
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    if (isCut) throw new TypeError('No network')
    const request = new AtHome(input, init)
    const { pathname } = new URL(request.url)
    paths.push(pathname)
    const act = faulty?.path.test(pathname) ? faulty.act : null
    if (typeof act === 'function') return act()
    if (act === 'cutBefore') throw new TypeError('No network')
    const answer = await server.app.request(request)
    // As the HTTP server does, whose clock is the world's here.
    answer.headers.set('Date', server.clock.now().toUTCString())
    if (act === 'cutAfter') throw new TypeError('The answer was lost')
    if (held?.path.test(pathname)) await held.until
    return answer
  })
  useEpoch.setState({ epoch: -1 })
  const unfollow = followConnectivity()
  onTestFinished(async () => {
    unfollow()
    // What is being sent would reach the next test's server.
    await vi.waitFor(() => expect(useReplay.getState().status).not.toBe('sending'), SENT_WITHIN_MS)
    vi.unstubAllGlobals()
  })
  return {
    cut(next) {
      isCut = next
      if (next) markOffline()
      else markOnline()
    },
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = { path, until: promise }
      return () => {
        held = null
        resolve()
      }
    },
    fault(path, act) {
      faulty = { path, act }
      return () => {
        faulty = null
      }
    },
    meet(next) {
      server = next
    },
    asked() {
      const before = paths
      paths = []
      return before
    },
  }
}

async function emptyStore(): Promise<void> {
  await readStore(async (db) => {
    const tx = db.transaction([...db.objectStoreNames], 'readwrite')
    for (const name of db.objectStoreNames) await tx.objectStore(name).clear?.()
    await tx.done
  })
}

/** The phone read its list long ago, and has no live stream. */
export async function outdateList(): Promise<void> {
  const { meta, ...stored } = await readRoster()
  setListStreaming(false)
  loadRoster({ ...stored, meta: meta && { ...meta, syncedAt: 0 } })
}

/** Tickets that were sold and are on the phone's list. */
export async function listed({ guest }: Phone, quantity = 1): Promise<[Ticket, ...Ticket[]]> {
  const tickets = await bought(guest, quantity)
  await syncRoster()
  return tickets
}

export const byCode = (ticket: Ticket): Subject => ({ type: 'code', text: codeOf(ticket) })
export const byHand = ({ _id }: Ticket): Subject => ({ type: 'hand', ticketId: _id })

/** A scan made now by the checker of this phone. */
export async function made(subject: Subject): Promise<{ scan: Scan; station: NonNullable<Station> }> {
  const station = await stationNow()
  if (station === null) throw new Error('Nobody is signed in')
  return { scan: { scanId: crypto.randomUUID(), subject, at: Date.now() }, station }
}
type Station = Awaited<ReturnType<typeof stationNow>>

/** An admission by this device as it is to be written; its memory has it already. */
export async function pendingOf(subject: Subject) {
  const { scan, station } = await made(subject)
  const ticketId = subject.type === 'hand' ? subject.ticketId : (decodeQr(subject.text)?.ticketId ?? '')
  const scannedAt = new Date(scan.at).toISOString()
  const { epoch, ...maker } = station
  const row = {
    ...maker,
    scanId: scan.scanId,
    ticketId,
    qrCode: subject.type === 'code' ? subject.text : null,
    manual: subject.type === 'hand',
    scannedAt,
    name: 'Garima Guest',
    attempts: 0,
    undo: false,
    parked: null,
  }
  const record = {
    qrCode: row.qrCode ?? '',
    ticket: { id: ticketId, name: row.name },
    status: 'valid' as const,
    marked: false,
    timestamp: scannedAt,
    scannedBy: station.checkerName,
    scanId: scan.scanId,
    manual: row.manual,
    ending: 'pending' as const,
    title: '',
    detail: '',
  }
  const admission = toLocalAdmission(row)
  addLocalAdmission(admission)
  return { record, journal: toJournalRow(row, { event: eventTimes(), epoch }), evening: eveningNow(), admission, row }
}

/** How many rows each store of the phone has that a scan writes to. */
export const stored = () =>
  readStore(async (db) => ({
    history: await db.count('qr_scan_history'),
    outbox: await db.count('outbox'),
    admitted: await db.count('admitted'),
  }))

/** The device has no room for rows of these stores, for so many writes or until the returned function is called. */
export function fillDevice(names: readonly string[], writes = Number.POSITIVE_INFINITY): () => void {
  let left = writes
  const { add, put } = IDBObjectStore.prototype
  const refusing = (write: typeof add): typeof add =>
    function (this: IDBObjectStore, ...row) {
      if (names.includes(this.name) && left-- > 0) throw new DOMException('Full', 'QuotaExceededError')
      return write.apply(this, row)
    }
  Object.assign(IDBObjectStore.prototype, { add: refusing(add), put: refusing(put) })
  const makeRoom = () => void Object.assign(IDBObjectStore.prototype, { add, put })
  onTestFinished(makeRoom)
  return makeRoom
}

/** Another tab runs a newer app: until the test is over this one cannot open its store any more. */
export function takeStoreAway(): Promise<void> {
  onTestFinished(() => void indexedDB.deleteDatabase('garba-scanner'))
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('garba-scanner', 99)
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      opening.result.close()
      resolve()
    }
  })
}
