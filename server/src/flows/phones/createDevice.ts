import { hash } from 'node:crypto'
import { DEVICE_AFTER_EVENT_MS, DEVICE_LEASE_MAX_MS, PAIRING_CODE_MS } from '@garba/shared/constants'
import type { DeskDevice, Pairing } from '@garba/shared/contracts/device'
import type { Right } from '@garba/shared/contracts/names'
import { pairAddress } from '@garba/shared/contracts/pages'
import { DEVICE } from '@garba/shared/messages/gate'
import { pairingLinkFrom, shownPairingCode, typedPart } from '@garba/shared/rules/pairing'
import { Refusal } from '../../refusal.ts'
import { keepRights } from '../../store/deviceRights.ts'
import { findEvent } from '../../store/events.ts'
import { addGates } from '../../store/gates.ts'
import { newId } from '../../store/ids.ts'
import { insertPairedDevice, type PairedDeviceRow } from '../../store/pairedDevices.ts'
import type { ReadTx } from '../../store/sql.ts'
import { aboutDevice, audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { endOf } from '../event/eventViews.ts'
import { gateAmong } from './changeGate.ts'
import { deskDevices } from './deviceViews.ts'

type Making = Pick<Deps, 'store' | 'settings' | 'publicUrl' | 'now'>

export interface NewCode {
  /** The part that is stored. */
  row: Pick<PairedDeviceRow, 'codeHash' | 'linkHash' | 'codeExpiresAt' | 'codeUsedAt'>
  /** The part that the phone gets. */
  pairing: Pairing
}

export const hashOfCode = (code: string): string => hash('sha256', code, 'base64url')

/** Makes a new pairing code with its link. Only their hashes are stored. */
export function newCode({ publicUrl, now }: Pick<Deps, 'publicUrl' | 'now'>): NewCode {
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

/** Refuses an end that is not in the future with VALIDATION_FAILED. */
export function requireAhead(until: Date, now: Date): void {
  const latest = now.getTime() + DEVICE_LEASE_MAX_MS
  if (until > now && until.getTime() <= latest) return
  const message = until > now ? DEVICE.untilFar : DEVICE.untilPast
  throw new Refusal('VALIDATION_FAILED', { message, errors: [{ field: 'until', message }] })
}

const DAY_MS = 24 * 3_600_000

/** Six hours after the event, or a day from now without a future event. */
async function usualEnd({ settings, now }: Making, tx: ReadTx): Promise<Date> {
  const event = await findEvent(tx)
  const end = event ? endOf(event, settings.timezone).getTime() + DEVICE_AFTER_EVENT_MS : 0
  return new Date(end > now().getTime() ? end : now().getTime() + DAY_MS)
}

interface NewDevice {
  /** The admin; null on the server's command line. */
  by: { id: string | null; name: string }
  name: string
  gates: string[]
  rights: Right[]
  until?: string | undefined
}

/** Prepares a device for pairing. Refuses with VALIDATION_FAILED for an end in the past. */
export async function createDevice(
  deps: Making,
  { by, until, ...wanted }: NewDevice,
): Promise<{ device: DeskDevice; pairing: Pairing }> {
  const { row, pairing } = newCode(deps)
  return deps.store.write(async (tx) => {
    tx.announce('evening')
    const now = deps.now()
    const device: PairedDeviceRow = {
      id: newId(now),
      ...wanted,
      until: until === undefined ? await usualEnd(deps, tx) : new Date(until),
      createdById: by.id,
      createdByName: by.name,
      createdAt: now,
      ...row,
      pairedAt: null,
      publicKey: null,
      label: null,
      shiftName: null,
      shiftNames: [],
      gate: gateAmong(wanted.gates, null),
      revokedAt: null,
      revokedByName: null,
      endHeardAt: null,
    }
    requireAhead(device.until, now)
    await insertPairedDevice(tx, device)
    await keepRights(tx, { deviceId: device.id, since: now, rights: device.rights })
    await addGates(tx, device.gates)
    const detail = DEVICE.terms(device)
    await audited(tx, { at: now, action: 'device.created', actor: by, subject: aboutDevice(device), detail })
    const [view] = await deskDevices(tx, [device], { now, version: deps.settings.version })
    if (!view) throw new RangeError('A new device has no view')
    return { device: view, pairing }
  })
}
