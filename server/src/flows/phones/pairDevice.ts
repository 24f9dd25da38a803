import { hash } from 'node:crypto'
import type { CallInput } from '@garba/shared/calls/calls'
import { DAY_MS, DEVICE_LEASE_MAX_MS, PAIRING_CODE_MS } from '@garba/shared/constants'
import type { DeskDevice, DevicePublicKey, OwnDevice, PairingCode } from '@garba/shared/contracts/phones/device'
import { pairAddress } from '@garba/shared/contracts/site/pages'
import { DEVICE } from '@garba/shared/messages/gate'
import { type EventTimes, findDeadline } from '@garba/shared/rules/event/eventDay'
import {
  hasLinkSecret,
  pairingLinkFrom,
  readPairingCode,
  shownPairingCode,
  typedPart,
} from '@garba/shared/rules/phones/pairingCode'
import { correction, generate } from 'lean-qr'
import { Refusal, wrongField } from '../../refusal.ts'
import {
  addGates,
  findDeviceByCode,
  insertPairedDevice,
  keepRights,
  makePairedDevice,
  type PairedDeviceRow,
  useCode,
} from '../../store/devices.ts'
import { newId, type ReadTx, type WriteTx } from '../../store/engine/sql.ts'
import { aboutDevice, auditChange } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { endBlocksOfReplaced } from '../doorSales/deviceBlocks.ts'
import { readTimes } from '../event/readEvent.ts'
import { endOfDevice, withDeadline } from './authenticateDevice.ts'
import { deskViewer, ownDeviceView } from './deviceViews.ts'

type PairingDeps = Pick<Deps, 'store' | 'settings' | 'publicUrl' | 'now'>

export interface NewCode {
  row: Pick<PairedDeviceRow, 'codeHash' | 'linkHash' | 'codeExpiresAt' | 'codeUsedAt'>
  pairing: PairingCode
}

const hashOfCode = (code: string): string => hash('sha256', code, 'base64url')

/** Makes a new pairing code with its link. Only their hashes are stored. */
export function makePairingCode({ publicUrl, now }: Pick<Deps, 'publicUrl' | 'now'>): NewCode {
  const link = pairingLinkFrom(crypto.getRandomValues(new Uint8Array(64)))
  const codeExpiresAt = new Date(now().getTime() + PAIRING_CODE_MS)
  return {
    row: { codeHash: hashOfCode(typedPart(link)), linkHash: hashOfCode(link), codeExpiresAt, codeUsedAt: null },
    pairing: {
      code: shownPairingCode(link),
      url: pairAddress(publicUrl(), link),
      expiresAt: codeExpiresAt.toISOString(),
    },
  }
}

export const gateAmong = (gates: readonly string[], last: string | null): string | null => {
  const [first, ...others] = gates
  if (first !== undefined && others.length === 0) return first
  return last !== null && (gates.length === 0 || gates.includes(last)) ? last : null
}

export function requireAhead(until: Date | null, now: Date): void {
  const latest = now.getTime() + DEVICE_LEASE_MAX_MS
  if (until === null) return
  if (until > now && until.getTime() <= latest) return
  throw wrongField('until', until > now ? DEVICE.untilFar : DEVICE.untilPast)
}

function usualEnd(event: EventTimes | null, now: Date): Date | null {
  const deadline = findDeadline(null, event)
  return deadline !== null && deadline <= now ? new Date(now.getTime() + DAY_MS) : null
}

type NewDevice = CallInput<'createDevice'> & {
  by: { id: string | null; name: string }
}

export async function createDevice(
  deps: PairingDeps,
  { by, until, ...given }: NewDevice,
): Promise<{ device: DeskDevice; pairing: PairingCode }> {
  const { row, pairing } = makePairingCode(deps)
  return deps.store.write(async (tx) => {
    tx.announceChanges('evening')
    const now = deps.now()
    const event = await readTimes(deps, tx)
    const device = makePairedDevice({
      id: newId(now),
      ...given,
      until: until === undefined ? usualEnd(event, now) : until === null ? null : new Date(until),
      createdById: by.id,
      createdByName: by.name,
      createdAt: now,
      ...row,
      gate: gateAmong(given.gates, null),
    })
    requireAhead(findDeadline(device.until, event), now)
    await insertPairedDevice(tx, device)
    await keepRights(tx, { deviceId: device.id, since: now, rights: device.rights })
    await addGates(tx, device.gates)
    const detail = DEVICE.terms(device)
    await auditChange(tx, { at: now, action: 'device.created', actor: by, subject: aboutDevice(device), detail })
    const viewOf = await deskViewer(tx, { settings: deps.settings, now })
    return { device: await viewOf(device), pairing }
  })
}

type PairingRequest = CallInput<'pairDevice'>

/**
 * Pairs a phone with the code's device; a phone that was paired as it before loses access. A code works once; the phone
 * that used it gets the same answer again, because the first may have been lost.
 */
export async function pairDevice(deps: Deps, { code: typed, publicKey, label }: PairingRequest): Promise<OwnDevice> {
  const code = readPairingCode(typed)
  if (code === null) throw new Refusal('PAIRING_INVALID')
  await requireUsableKey(publicKey)
  // Checked before the write, so that wrong codes do not queue with the writes.
  await deps.store.read((tx) => deviceFor(tx, code))
  const codeHash = hashOfCode(typedPart(code))
  return deps.store.write(async (tx) => {
    tx.announceChanges('evening', 'access')
    const now = deps.now()
    const event = await readTimes(deps, tx)
    const device = withDeadline(await deviceFor(tx, code), event)
    if (endOfDevice(device, now)) throw new Refusal('PAIRING_INVALID')
    if (device.codeUsedAt === null && device.codeExpiresAt <= now) throw new Refusal('PAIRING_EXPIRED')
    // The last user's name does not carry over to this phone.
    const pairing = { codeUsedAt: now, pairedAt: now, publicKey, label: label ?? null, shiftName: null }
    const paired = await useCode(tx, codeHash, pairing)
    if (paired) await recordPairing(tx, paired, device)
    if (paired && device.publicKey !== null) await endBlocksOfReplaced(deps, tx, paired)
    const mine = paired ?? (await firstPairing(tx, codeHash, publicKey))
    return ownDeviceView(withDeadline(mine, event))
  })
}

/** A link must match as a whole: its typed part alone does not count as the link. */
async function deviceFor(tx: ReadTx, code: string): Promise<PairedDeviceRow> {
  const device = await findDeviceByCode(tx, hashOfCode(typedPart(code)))
  if (!device || (hasLinkSecret(code) && device.linkHash !== hashOfCode(code))) throw new Refusal('PAIRING_INVALID')
  return device
}

async function requireUsableKey(publicKey: DevicePublicKey): Promise<void> {
  try {
    await crypto.subtle.importKey('jwk', publicKey, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify'])
  } catch {
    throw wrongField('publicKey', DEVICE.unusableKey)
  }
}

async function firstPairing(tx: WriteTx, codeHash: string, { x, y }: DevicePublicKey): Promise<PairedDeviceRow> {
  const device = await findDeviceByCode(tx, codeHash)
  if (device?.publicKey?.x !== x || device.publicKey.y !== y) throw new Refusal('PAIRING_USED')
  return device
}

async function recordPairing(tx: WriteTx, device: PairedDeviceRow, before: PairedDeviceRow): Promise<void> {
  const at = device.pairedAt ?? device.createdAt
  const detail = DEVICE.paired({ label: device.label, again: before.publicKey !== null })
  await auditChange(tx, { at, action: 'device.paired', actor: device, subject: aboutDevice(device), detail })
}

const QUIET = 4

/** Draws a QR code in characters, each two modules high, for a terminal with light text on dark or the reverse. */
export function qrLines(text: string): string {
  const code = generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  const isLight = (x: number, y: number) => !code.get(x - QUIET, y - QUIET)
  const side = code.size + 2 * QUIET
  const rows: string[] = []
  for (let y = 0; y < side; y += 2) {
    let row = ''
    for (let x = 0; x < side; x++) {
      const [top, bottom] = [isLight(x, y), isLight(x, y + 1)]
      row += top ? (bottom ? '█' : '▀') : bottom ? '▄' : ' '
    }
    // Sets its own colours, because phones read only dark codes on a light background.
    rows.push(`\u001b[97;40m${row}\u001b[0m`)
  }
  return rows.join('\n')
}
