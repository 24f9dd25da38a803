import { ECDH } from 'node:crypto'
import { PUSH_FIELDS, type PushSubscriptionBody } from '@garba/shared/contracts/people/push'
import { makeKeyPair } from '@garba/shared/rules/qr'
import * as z from 'zod'
import { isPushEndpoint } from '../../push/endpoint.ts'
import type { PushKeys } from '../../push/pushSender.ts'
import { orRefuse, wrongField } from '../../refusal.ts'
import { listIds, newId } from '../../store/engine/sql.ts'
import { PUSH_KEYS, readMeta, writeMeta } from '../../store/meta.ts'
import { putSubscription, removeEndpoint, removeSubscriptions, subscriptionsOf } from '../../store/pushSubscriptions.ts'
import type { Caller, Deps } from '../deps.ts'

const BROWSERS_MAX = 10

const keysSchema: z.ZodType<PushKeys> = z.object({
  publicKey: z.string(),
  privateJwk: z.looseObject({ kty: z.string(), crv: z.string(), x: z.string(), y: z.string(), d: z.string() }),
})

/**
 * Makes the keys that prove to push services who sends (VAPID), at the first start. They are stored in the database: a
 * browser's subscription works only with the key it was made with, so a restored backup must bring it along.
 */
export async function ensurePushKeys({ store }: Pick<Deps, 'store'>): Promise<void> {
  if ((await store.read((tx) => readMeta(tx, PUSH_KEYS))) !== null) return
  const { publicJwk, privateJwk } = await makeKeyPair()
  const point = [Buffer.of(4), ...[publicJwk.x, publicJwk.y].map((part) => Buffer.from(part, 'base64url'))]
  const made = { publicKey: Buffer.concat(point).toString('base64url'), privateJwk }
  await store.write(async (tx) => {
    // Another server may have been faster.
    if ((await readMeta(tx, PUSH_KEYS)) === null) await writeMeta(tx, PUSH_KEYS, JSON.stringify(made))
  })
}

export async function readPushKeys({ store }: Pick<Deps, 'store'>): Promise<PushKeys> {
  const stored = orRefuse(await store.read((tx) => readMeta(tx, PUSH_KEYS)), 'UNAVAILABLE')
  return keysSchema.parse(JSON.parse(stored))
}

/** Subscribes a browser for the caller. The same endpoint again changes its keys and language, and its person. */
export async function subscribePush(
  { store, settings, now: clock }: Deps,
  { user, endpoint, keys, language }: PushSubscriptionBody & { user: Caller },
): Promise<void> {
  if (!isPushEndpoint(endpoint, settings)) throw wrongField('endpoint', PUSH_FIELDS.endpoint)
  if (!isPoint(keys.p256dh)) throw wrongField('keys.p256dh', PUSH_FIELDS.keys)
  const now = clock()
  await store.write(async (tx) => {
    await putSubscription(tx, { id: newId(now), userId: user.id, endpoint, ...keys, language, createdAt: now })
    await removeSubscriptions(tx, listIds((await subscriptionsOf(tx, [user.id])).slice(BROWSERS_MAX)))
  })
}

function isPoint(key: string): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}

export const unsubscribePush = (
  { store }: Deps,
  { user, endpoint }: { user: Caller; endpoint: string },
): Promise<void> => store.write((tx) => removeEndpoint(tx, user.id, endpoint))
