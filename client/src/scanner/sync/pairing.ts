import { typedPart } from '@garba/shared/rules/phones/pairingCode'
import { getConfig, refreshConfig } from '../../platform/config.ts'
import { callServer } from '../../platform/http/call.ts'
import { epochNow } from '../../platform/http/epoch.ts'
import { type FailureCode, isFailure, isNetworkFailure } from '../../platform/http/failure.ts'
import { onSessionEnd, type SessionEndSource, setTokenSource } from '../../platform/http/tokens.ts'
import { recordAnswerTime, serverNow } from '../../platform/net/clock.ts'
import { isIos } from '../../platform/pwa/install.ts'
import { forgetGuests } from '../../platform/store/scannerData.ts'
import type { PairingEnd } from '../../platform/store/scannerSchema.ts'
import { type DeviceToken, pairingNow, signDeviceToken } from '../core/pairing.ts'
import { reportStorageFailure } from '../store/failure.ts'
import { eraseDeviceJournal, queueAgain } from '../store/journal.ts'
import { unparkAll } from '../store/outbox.ts'
import { keepDevice, keepEnd, keepPairing, keepShift, keyFor } from '../store/pairing.ts'
import { forgetRoster } from '../store/rosterMemory.ts'
import { queueSalesAgain } from '../store/sales.ts'
import { ALL_NEWS, refreshStored } from '../store/useStored.ts'
import { PAIRING } from '../texts/phone.ts'
import { askEachMinute, unlessReplaced } from './connection.ts'

export function signAsDevice(): void {
  setTokenSource(
    async () => ({ token: ownToken }),
    () => pairingNow() !== null,
  )
  onSessionEnd((code, by) => {
    const ends = endsPairing(code, by)
    if (ends) void endPairing(code, by)
    return ends
  })
}

/**
 * A replaced server may not know that a phone was paired since, or got more time. Only a revocation is a person's decision,
 * whichever server reports it.
 */
export const endsPairing = (code: FailureCode, { isLatest }: SessionEndSource): boolean =>
  isLatest || code === 'DEVICE_REVOKED'

/** A token is replaced when less than this is left (ms). */
const LEFT_MS = 60_000
let kept: { of: CryptoKey; token: DeviceToken } | null = null

async function ownToken({ force }: { force: boolean }): Promise<string | null> {
  const row = pairingNow()
  if (row === null) return null
  if (force) {
    kept = null
    // The address the token is for may have changed. The answer also corrects this phone's clock.
    await refreshConfig().catch((error: unknown) => console.info('Settings not refreshed', error))
  }
  const { privateKey, device } = row
  if (kept?.of === privateKey && kept.token.expiresAt - serverNow().getTime() > LEFT_MS) return kept.token.text
  const audience = new URL((await getConfig()).publicUrl).origin
  const token = await signDeviceToken({ deviceId: device.id, privateKey, audience, now: serverNow() })
  kept = { of: privateKey, token }
  return token.text
}

export type PairingResult = { ok: true } | { ok: false; message: string }

/** Makes this phone a device by sending its public key with the single-use code. Never throws. */
export async function pairPhone(code: string): Promise<PairingResult> {
  if (!isSecureContext) return { ok: false, message: PAIRING.failed.insecure }
  try {
    // A link and its typed code are one attempt, so that the server sees one phone.
    const attempt = await keyFor(typedPart(code))
    const body = { code, publicKey: attempt.publicKey, label: labelOfPhone() }
    const { device } = await recordAnswerTime(callServer('pairDevice', { body }))
    await keepPairing(device, attempt)
    return { ok: true }
  } catch (error) {
    console.info('Not paired', error)
    return { ok: false, message: formatPairingError(error) }
  }
}

function formatPairingError(error: unknown): string {
  if (isNetworkFailure(error)) return navigator.onLine ? PAIRING.failed.serverAway : PAIRING.failed.offline
  return isFailure(error) ? error.message : PAIRING.failed.storage
}

const labelOfPhone = (): string => {
  if (isIos()) return PAIRING.labels.ios
  return navigator.userAgent.includes('Android') ? PAIRING.labels.android : PAIRING.labels.other
}

const ENDS: Partial<Record<FailureCode, PairingEnd>> = {
  DEVICE_REVOKED: 'revoked',
  DEVICE_LAPSED: 'lapsed',
  UNAUTHENTICATED: 'unknown',
}

/**
 * The server no longer accepts this phone's calls: the list and all guests' names are erased at once, unsent rows stay
 * and are still sent. A revoked phone's journal is erased too. Never throws.
 */
export async function endPairing(code: FailureCode, { isLatest }: SessionEndSource): Promise<void> {
  const row = pairingNow()
  const why = ENDS[code]
  if (row === null || why === undefined) return
  const isQueued = await queueDue()
  if (why === 'revoked' && isLatest && isQueued) await eraseDeviceJournal(row.device.id).catch(reportStorageFailure)
  if (row.ended?.why === why) return
  await keepEnd(row.device.id, why).catch(reportStorageFailure)
  forgetRoster()
  await forgetGuests().catch(reportStorageFailure)
  await refreshStored(ALL_NEWS)
}

/** Queues what a restored server may lack, so that it is not erased. Resolves to whether that was stored. */
async function queueDue(): Promise<boolean> {
  try {
    await queueSalesAgain(epochNow())
    await queueAgain(epochNow())
    return true
  } catch (error) {
    reportStorageFailure(error)
    return false
  }
}

/** Starts a shift under this name and reports it to the server as soon as possible. Throws StorageFailure. */
export async function startShift(name: string): Promise<void> {
  const row = pairingNow()
  if (row === null) return
  const { shift } = row
  // Unsent sales of earlier shifts are still reported under those names.
  const before = shift && !shift.sent ? [...(shift.before ?? []), shift.name] : []
  await keepShift(row.device.id, { name, sent: false, ...(before.length === 0 ? {} : { before }) })
  void refreshDevice()
}

const reportShift = (name: string) =>
  callServer('changeShift', { body: { name }, retries: 0, accepts: unlessReplaced() })

/** Reports the shift to the server, and takes over the desk's changes: rights, name, end. Never throws. */
export async function refreshDevice(): Promise<void> {
  const row = pairingNow()
  if (row === null || row.ended?.why === 'revoked') return
  try {
    const { shift } = row
    const known = JSON.stringify(row.device)
    if (shift && !shift.sent) for (const name of shift.before ?? []) await reportShift(name)
    const { device } = await recordAnswerTime(
      shift === null || shift.sent ? callServer('ownDevice', { retries: 0 }) : reportShift(shift.name),
    )
    if (row.ended !== null) await unparkAll()
    // The answer to a change of the gate that came meanwhile is newer.
    const isNewest = JSON.stringify(pairingNow()?.device) === known
    if (isNewest && (row.ended !== null || JSON.stringify(device) !== known)) await keepDevice(device)
    if (shift && !shift.sent && pairingNow()?.shift?.name === shift.name)
      await keepShift(device.id, { name: shift.name, sent: true })
  } catch (error) {
    console.info('What the desk says about this phone is not known', error)
  }
}

/** Whether the server knows who is on shift; reports it first if needed. Otherwise cash would count for the previous shift. */
export async function isShiftKnown(): Promise<boolean> {
  if (pairingNow()?.shift?.sent === false) await refreshDevice()
  return pairingNow()?.shift?.sent !== false
}

/** Moves the phone to another gate, which needs the server. Throws ApiFailure or StorageFailure. */
export async function moveToGate(gate: string): Promise<void> {
  const { device } = await callServer('changeGate', { body: { gate }, retries: 0 })
  await keepDevice(device)
}

export const followDevice = (): (() => void) => askEachMinute(() => void refreshDevice())
