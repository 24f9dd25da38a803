import type { DevicePublicKey, OwnDevice } from '@garba/shared/contracts/device'
import { DEVICE } from '@garba/shared/messages/gate'
import { hasLinkSecret, readPairingCode, typedPart } from '@garba/shared/rules/pairing'
import { Refusal } from '../../refusal.ts'
import { findDeviceByCode, type PairedDeviceRow, useCode } from '../../store/pairedDevices.ts'
import type { ReadTx, WriteTx } from '../../store/sql.ts'
import { aboutDevice, audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { endBlocksOfReplaced } from '../doorSales/deviceBlocks.ts'
import { endOfDevice } from './authenticateDevice.ts'
import { hashOfCode } from './createDevice.ts'
import { ownDeviceView } from './deviceViews.ts'

interface Pairing {
  code: string
  publicKey: DevicePublicKey
  label?: string | undefined
}

/**
 * Pairs a phone with the code's device; a phone paired with it before loses access. A code works once; the phone that
 * used it gets the same answer again, because the first may have been lost. Refuses with PAIRING_INVALID, PAIRING_USED
 * or PAIRING_EXPIRED, and with VALIDATION_FAILED for a key that is not on the curve.
 */
export async function pairDevice(deps: Deps, { code: typed, publicKey, label }: Pairing): Promise<OwnDevice> {
  const code = readPairingCode(typed)
  if (code === null) throw new Refusal('PAIRING_INVALID')
  await requireUsableKey(publicKey)
  // Checked before the write, so that a wrong code takes no turn among the writes.
  await deps.store.read((tx) => deviceFor(tx, code))
  const codeHash = hashOfCode(typedPart(code))
  return deps.store.write(async (tx) => {
    // The phone paired before loses its live views.
    tx.announce('evening', 'access')
    const now = deps.now()
    const device = await deviceFor(tx, code)
    if (endOfDevice(device, now)) throw new Refusal('PAIRING_INVALID')
    if (device.codeUsedAt === null && device.codeExpiresAt <= now) throw new Refusal('PAIRING_EXPIRED')
    // The last user's name does not carry over to this phone.
    const pairing = { codeUsedAt: now, pairedAt: now, publicKey, label: label ?? null, shiftName: null }
    const paired = await useCode(tx, codeHash, pairing)
    if (paired) await recordPairing(tx, paired, device)
    if (paired && device.publicKey !== null) await endBlocksOfReplaced(deps, tx, paired)
    const mine = paired ?? (await firstPairing(tx, codeHash, publicKey))
    return ownDeviceView(mine)
  })
}

/** Refuses with PAIRING_INVALID. A link must match as a whole: its typed part alone does not count as the link. */
async function deviceFor(tx: ReadTx, code: string): Promise<PairedDeviceRow> {
  const device = await findDeviceByCode(tx, hashOfCode(typedPart(code)))
  if (!device || (hasLinkSecret(code) && device.linkHash !== hashOfCode(code))) throw new Refusal('PAIRING_INVALID')
  return device
}

async function requireUsableKey(publicKey: DevicePublicKey): Promise<void> {
  try {
    await crypto.subtle.importKey('jwk', publicKey, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify'])
  } catch {
    const message = DEVICE.unusableKey
    throw new Refusal('VALIDATION_FAILED', { message, errors: [{ field: 'publicKey', message }] })
  }
}

async function firstPairing(tx: WriteTx, codeHash: string, { x, y }: DevicePublicKey): Promise<PairedDeviceRow> {
  const device = await findDeviceByCode(tx, codeHash)
  if (device?.publicKey?.x !== x || device.publicKey.y !== y) throw new Refusal('PAIRING_USED')
  return device
}

async function recordPairing(tx: WriteTx, device: PairedDeviceRow, before: PairedDeviceRow): Promise<void> {
  await audited(tx, {
    at: device.pairedAt ?? device.createdAt,
    action: 'device.paired',
    actor: { id: device.id, name: device.name },
    subject: aboutDevice(device),
    detail: DEVICE.paired({ label: device.label, again: before.publicKey !== null }),
  })
}
