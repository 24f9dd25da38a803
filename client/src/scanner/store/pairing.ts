import type { DevicePublicKey, OwnDevice } from '@garba/shared/contracts/phones/device'
import type { PairingAttempt, PairingEnd, PairingRow } from '../../platform/store/scannerSchema.ts'
import { pairingNow, setPairing } from '../core/pairing.ts'
import { publishNews } from './news.ts'
import { readStore, writeStrict } from './scannerStore.ts'

/** The disk had no room for this page's last change. Until it is written, what the page knows counts. */
let isUnwritten = false

/** Reads how this phone is paired, for this page and its tokens. Throws StorageFailure. */
export async function readPairing(): Promise<PairingRow | null> {
  if (isUnwritten) return pairingNow()
  const row = await readStore((db) => db.get('pairing', 'pairing'))
  const pairing = row?.key === 'pairing' ? row : null
  setPairing(pairing === null ? { type: 'none' } : { type: 'paired', row: pairing })
  return pairing
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const

/**
 * The key for a code, stored before the code is used. A lost answer can be requested again with it, and a browser that cannot
 * store it does not waste the code. Throws StorageFailure.
 */
export async function keyFor(code: string): Promise<PairingAttempt> {
  const known = await readStore((db) => db.get('pairing', 'attempt'))
  if (known?.key === 'attempt' && known.code === code) return known
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey)
  const jwk: DevicePublicKey = { kty: 'EC', crv: 'P-256', x, y }
  const attempt: PairingAttempt = { key: 'attempt', code, privateKey, publicKey: jwk }
  await writeStrict(['pairing'], (tx) => tx.objectStore('pairing').put(attempt))
  return attempt
}

/** Stores the pairing that the server has made. Throws StorageFailure. */
export async function keepPairing(device: OwnDevice, { privateKey }: PairingAttempt): Promise<void> {
  const row: PairingRow = { key: 'pairing', device, privateKey, shift: null, ended: null }
  await writeStrict(['pairing', 'blocks', 'sales'], async (tx) => {
    await tx.objectStore('pairing').put(row)
    await tx.objectStore('pairing').delete('attempt')
    // Codes belong to the pairing that took them.
    await tx.objectStore('blocks').clear()
    const sales = tx.objectStore('sales')
    // If another device asked for this sale, the server would sell it again.
    for (const sale of await sales.getAll())
      if (sale.state === 'asking' && sale.deviceId !== device.id) await sales.put({ ...sale, state: 'unknown' })
  })
  isUnwritten = false
  setPairing({ type: 'paired', row })
  publishNews('device', 'sales')
}

/** Changes the pairing if it still belongs to this device. Throws StorageFailure. */
async function change(id: string, over: (row: PairingRow) => PairingRow): Promise<void> {
  const unwritten = isUnwritten ? pairingNow() : null
  try {
    await writeStrict(['pairing'], async (tx) => {
      const row = unwritten ?? (await tx.objectStore('pairing').get('pairing'))
      if (row?.key === 'pairing' && row.device.id === id) await tx.objectStore('pairing').put(over(row))
    })
    isUnwritten = false
  } catch (error) {
    isUnwritten = true
    throw error
  } finally {
    // The screen changes even if the disk has no room.
    const row = pairingNow()
    if (row?.device.id === id) setPairing({ type: 'paired', row: over(row) })
    publishNews('device')
  }
}

/** Stores what the server now says about this phone: it is paired, whatever was stored before. Throws StorageFailure. */
export const keepDevice = (device: OwnDevice): Promise<void> =>
  change(device.id, (row) => ({ ...row, device, ended: null }))

export const keepEnd = (id: string, why: PairingEnd): Promise<void> =>
  change(id, (row) => ({ ...row, ended: { why, at: new Date().toISOString() } }))

export const keepShift = (id: string, shift: NonNullable<PairingRow['shift']>): Promise<void> =>
  change(id, (row) => ({ ...row, shift }))

/** Throws StorageFailure. */
export async function forgetPairing(): Promise<void> {
  await writeStrict(['pairing'], (tx) => tx.objectStore('pairing').clear())
  isUnwritten = false
  setPairing({ type: 'none' })
  publishNews('device')
}
