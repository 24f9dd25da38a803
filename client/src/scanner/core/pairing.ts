import { DEVICE_TOKEN_SECONDS } from '@garba/shared/constants'
import { RIGHTS_WITH_NAMES, type Right } from '@garba/shared/contracts/names'
import { PAIR_PAGE } from '@garba/shared/contracts/site/pages'
import { readPairingCode } from '@garba/shared/rules/phones/pairingCode'
import { create } from 'zustand'
import { useConfig } from '../../platform/config.ts'
import { serverNow } from '../../platform/net/clock.ts'
import { local } from '../../platform/store/local.ts'
import type { PairingEnd, PairingRow } from '../../platform/store/scannerSchema.ts'

/** Whether this phone is paired. `unreadable`: it is paired, but its storage cannot be read. */
export type PairingState =
  | { type: 'reading' }
  | { type: 'unreadable' }
  | { type: 'none' }
  | { type: 'paired'; row: PairingRow }

const PAIRED = 'garba.paired'
/** Read before any database is opened, so that the sign-in screen never shows first on a paired phone. */
const wasPaired = (): boolean => local.read(PAIRED) === '1'

export const usePairing = create<{ state: PairingState }>(() => ({
  state: wasPaired() ? { type: 'reading' } : { type: 'none' },
}))

export function setPairing(state: PairingState): void {
  if (state.type === 'paired' || state.type === 'none') local.write(PAIRED, state.type === 'paired' ? '1' : null)
  usePairing.setState({ state })
}

const findPairingRow = (state: PairingState): PairingRow | null => (state.type === 'paired' ? state.row : null)
export const pairingNow = (): PairingRow | null => findPairingRow(usePairing.getState().state)
export const usePairingRow = (): PairingRow | null => usePairing(({ state }) => findPairingRow(state))

/** A signed-in checker, unlike a paired phone, cannot sell or supervise. */
const OF_A_CHECKER: readonly Right[] = ['scan', 'find', 'undo']
const getPhoneRights = (row: PairingRow | null): readonly Right[] => row?.device.rights ?? OF_A_CHECKER
export const hasPhoneRight = (right: Right): boolean => getPhoneRights(pairingNow()).includes(right)
export const mayReadNames = (): boolean => RIGHTS_WITH_NAMES.some(hasPhoneRight)
export const useRight = (...rights: readonly Right[]): boolean =>
  usePairing(({ state }) => getPhoneRights(findPairingRow(state)).some((right) => rights.includes(right)))
/** `complimentary` is a separate right; tickets are given away on the screen where others sell. */
export const useMaySell = (): boolean => useRight('sell', 'complimentary')

/** Why this phone may not scan now: the server ended its pairing, or its time is up. Null while it may. */
export function findPairingEnd(row: PairingRow | null, now: Date): PairingEnd | null {
  if (row === null) return null
  if (row.ended !== null) return row.ended.why
  const { endsAt } = row.device
  return endsAt !== null && now.getTime() >= Date.parse(endsAt) ? 'lapsed' : null
}

/** How long before its end the end of the pairing is announced (ms). */
const NEAR_END_MS = 30 * 60_000
/** ISO time of the end, once it is near; else null. */
export function findNearPairingEnd(row: PairingRow | null, now: Date): string | null {
  if (row === null || findPairingEnd(row, now) !== null) return null
  const { endsAt } = row.device
  return endsAt !== null && Date.parse(endsAt) - now.getTime() <= NEAR_END_MS ? endsAt : null
}

export const endNow = (): PairingEnd | null => findPairingEnd(pairingNow(), serverNow())

/** The code after the # of the page's address. The organiser's QR opens that address in a phone's own camera app. */
export const useLinkCode = create<{ code: string | null }>(() => ({ code: null }))

/** Takes the code out of the address at once, so that it stays in no history and no bookmark. */
export function takeLinkCode(): void {
  if (location.pathname !== PAIR_PAGE || location.hash === '') return
  useLinkCode.setState({ code: readPairingCode(location.hash) })
  history.replaceState(history.state, '', PAIR_PAGE)
}

/** Sorts a QR scanned for pairing. Only an address of this site can carry a code. */
export function codeInQr(text: string): { type: 'code'; code: string } | { type: 'ticket' | 'other' } {
  if (/^G[RGB]1:/.test(text)) return { type: 'ticket' }
  try {
    const url = new URL(text)
    const code = isOurs(url) ? readPairingCode(url.hash) : null
    return code === null ? { type: 'other' } : { type: 'code', code }
  } catch {
    return { type: 'other' }
  }
}

function isOurs({ origin, pathname }: URL): boolean {
  const publicUrl = useConfig.getState().config?.publicUrl
  const origins = [location.origin, ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin])]
  return pathname === PAIR_PAGE && origins.includes(origin)
}

interface TokenFacts {
  deviceId: string
  privateKey: CryptoKey
  audience: string
  /** Server time, because the phone's clock may be wrong. */
  now: Date
}

export interface DeviceToken {
  text: string
  /** Server time in ms. */
  expiresAt: number
}

const letters = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
const base64url = (bytes: Uint8Array): string =>
  btoa(letters(bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const part = (value: object): string => base64url(new TextEncoder().encode(JSON.stringify(value)))

/** The bearer token that a paired phone signs for itself: an ES256 JWT (RFC 7515 and 7518). */
export async function signDeviceToken({ deviceId, privateKey, audience, now }: TokenFacts): Promise<DeviceToken> {
  const iat = Math.floor(now.getTime() / 1000)
  const exp = iat + DEVICE_TOKEN_SECONDS
  const header = { alg: 'ES256', typ: 'JWT', kid: deviceId }
  const claims = { iss: 'garba-device', sub: deviceId, aud: audience, iat, exp, jti: crypto.randomUUID() }
  const signed = `${part(header)}.${part(claims)}`
  // WebCrypto's signature is r followed by s, as JOSE requires.
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    privateKey,
    new TextEncoder().encode(signed),
  )
  return { text: `${signed}.${base64url(new Uint8Array(signature))}`, expiresAt: exp * 1000 }
}
