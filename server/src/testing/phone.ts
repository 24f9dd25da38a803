import { RIGHTS, type Right } from '@garba/shared/contracts/names'
import type { DeskDevice, PairingCode } from '@garba/shared/contracts/phones/device'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { expect } from 'vitest'
import { must } from './desk.ts'
import type { Client, Reply, World } from './world.ts'

export interface Prepared {
  device: DeskDevice
  pairing: PairingCode
}

/** A device that waits for its phone. Without `rights` it may do everything. */
export async function prepared(
  world: World,
  wanted: { name?: string; gates?: string[]; rights?: readonly Right[]; until?: string } = {},
): Promise<Prepared> {
  const admin = await world.as('admin')
  return (await must(
    admin.request('POST', '/api/admin/devices', { name: 'Gate A phone', rights: RIGHTS, ...wanted }),
  )) as unknown as Prepared
}

/** A phone's key pair; the private half never leaves it. */
export async function phoneKeys(): Promise<{ privateKey: CryptoKey; publicKey: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  return { privateKey, publicKey: await exportJWK(publicKey) }
}

export const pair = (world: World, code: string, publicKey: JWK): Promise<Reply> =>
  world.nobody.request('POST', '/api/devices/pair', { code, publicKey, label: 'Chrome on Android' })

interface Signing {
  id: string
  privateKey: CryptoKey
  /** Replaces parts of the payload; undefined removes one. */
  claims?: Record<string, unknown>
  header?: { alg: string; kid: string }
}

/** What a phone needs of a world to sign a token. */
export interface Signed {
  clock: Pick<World['clock'], 'now'>
  deps: Pick<World['deps'], 'publicUrl'>
}

/** A token as a paired phone signs it at the world's time. */
export function deviceToken(world: Signed, { id, privateKey, claims = {}, header }: Signing): Promise<string> {
  const iat = Math.floor(world.clock.now().getTime() / 1000)
  const payload = {
    iss: 'garba-device',
    sub: id,
    aud: new URL(world.deps.publicUrl()).origin,
    iat,
    exp: iat + 300,
    jti: crypto.randomUUID(),
    ...claims,
  }
  const given = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined))
  return new SignJWT(given).setProtectedHeader(header ?? { alg: 'ES256', kid: id }).sign(privateKey)
}

export interface Phone {
  id: string
  privateKey: CryptoKey
  publicKey: JWK
  /** A client with a fresh token; a token lives five minutes. */
  client: () => Promise<Client>
}

/** A phone that was paired with a new device. */
export async function pairedPhone(world: World, wanted: Parameters<typeof prepared>[1] = {}): Promise<Phone> {
  const { device, pairing } = await prepared(world, wanted)
  const keys = await phoneKeys()
  expect(await pair(world, pairing.code, keys.publicKey)).toMatchObject({ status: 200 })
  const { id } = device
  return { id, ...keys, client: async () => world.client(await deviceToken(world, { id, ...keys })) }
}
