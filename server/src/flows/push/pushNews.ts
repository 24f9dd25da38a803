import { createHash } from 'node:crypto'
import { DAY_MS, HOUR_MS, SECOND_MS } from '@garba/shared/constants'
import * as z from 'zod'
import { buildNotification } from '../../push/notification.ts'
import { type PushMessage, type PushOutcome, sendPush } from '../../push/pushSender.ts'
import { IN_ONE_WRITE, inPieces, type WriteTx } from '../../store/engine/sql.ts'
import { findEvent } from '../../store/events.ts'
import { changePayload, insertJob, isJobKnown, type JobRow } from '../../store/jobs.ts'
import { listSubscriptionsToTell } from '../../store/lists.ts'
import { findSubscription, removeSubscriptions, subscriptionsOf } from '../../store/pushSubscriptions.ts'
import { DeliveryFailed } from '../deliveryFailed.ts'
import type { Deps } from '../deps.ts'
import { readTimes } from '../event/readEvent.ts'
import { readPushKeys } from './subscriptions.ts'

/** `about` distinguishes similar news: the same news is sent to a browser once. */
const newsShape = { about: z.string(), eventId: z.string() }
const pushNewsSchema = z.discriminatedUnion('what', [
  z.object({ what: z.enum(['paid', 'calledOff', 'gateOpen']), ...newsShape }),
  z.object({ what: z.literal('changed'), words: z.string(), ...newsShape }),
])
type QueuedNews = z.output<typeof pushNewsSchema>

const jobSchema = z.object({ news: pushNewsSchema, to: z.string(), isBegun: z.boolean() })

/** Longer than this, news is no news: milliseconds. */
const NEWS_MS = { paid: DAY_MS, changed: DAY_MS, calledOff: DAY_MS, gateOpen: 2 * HOUR_MS } as const satisfies Record<
  QueuedNews['what'],
  number
>

async function queueEach(
  tx: WriteTx,
  subscriptions: readonly { id: string }[],
  { news, now }: { news: QueuedNews; now: Date },
): Promise<void> {
  for (const { id: to } of subscriptions)
    await insertJob(tx, {
      kind: 'push',
      id: `push:${news.what}:${news.about}:${to}`,
      payload: { news, to, isBegun: false },
      createdAt: now,
    })
}

/** Stores the messages to a person's browsers together with the change they are about. */
export const queuePush = async (
  tx: WriteTx,
  { userId, now, ...news }: QueuedNews & { userId: string; now: Date },
): Promise<void> => queueEach(tx, await subscriptionsOf(tx, [userId]), { news, now })

export const queuePushToAll = (tx: WriteTx, { now, ...news }: QueuedNews & { now: Date }): Promise<boolean> =>
  insertJob(tx, {
    kind: 'pushAll',
    id: `pushAll:${news.what}:${news.about}`,
    payload: news,
    createdAt: now,
  })

export async function spreadPush({ store, now }: Deps, { payload }: JobRow): Promise<void> {
  const news = pushNewsSchema.parse(payload)
  const all = await store.read((tx) => listSubscriptionsToTell(tx, news.eventId))
  for (const some of inPieces(all, IN_ONE_WRITE)) await store.write((tx) => queueEach(tx, some, { news, now: now() }))
}

/** Once the event begins, stores the work of saying so. It moves with the event, as it is computed from it. */
export async function noteGateOpening({ store, settings, now: clock }: Deps): Promise<void> {
  if (settings.rehearsal) return
  const now = clock()
  const news = await store.read(async (tx) => {
    const [event, times] = [await findEvent(tx), await readTimes({ settings }, tx)]
    if (!event || !times || event.state === 'calledOff') return null
    const startsAt = times.startsAt.getTime()
    if (now.getTime() < startsAt || now.getTime() >= startsAt + NEWS_MS.gateOpen) return null
    const about = `${event.id}:${startsAt}`
    if (await isJobKnown(tx, `pushAll:gateOpen:${about}`)) return null
    return { what: 'gateOpen' as const, about, eventId: event.id }
  })
  if (news) await store.write((tx) => queuePushToAll(tx, { ...news, now }))
}

/**
 * Sends one message to one browser, at most once: a server that died while it was sending leaves it at that, because the
 * push service may have taken the message. Throws DeliveryFailed.
 */
export async function sendNews(deps: Deps, job: JobRow): Promise<void> {
  const { news, to, isBegun } = jobSchema.parse(job.payload)
  const markBegun = (begun: boolean) =>
    deps.store.write((tx) => changePayload(tx, job.id, { news, to, isBegun: begun }))
  if (isBegun) throw new DeliveryFailed('interrupted', null)
  const message = await readMessage(deps, { news, to, createdAt: job.createdAt })
  if (!message) return
  const keys = await readPushKeys(deps)
  await markBegun(true)
  const sent = await sendPush(message, { keys, now: deps.now(), settings: deps.settings })
  if (sent.outcome === 'gone') await deps.store.write((tx) => removeSubscriptions(tx, [to]))
  if (sent.outcome === 'retry') await markBegun(false)
  throwFailure(sent)
}

function throwFailure(sent: PushOutcome): void {
  if (sent.outcome === 'retry') throw new DeliveryFailed(sent.why, sent.afterMs ?? 0)
  if (sent.outcome === 'refused' || sent.outcome === 'unknown') throw new DeliveryFailed(sent.why, null)
}

/** Null when the news is out of date or the browser is not subscribed any more. */
async function readMessage(
  deps: Deps,
  { news, to, createdAt }: { news: QueuedNews; to: string; createdAt: Date },
): Promise<PushMessage | null> {
  const { subscription, event } = await deps.store.read(async (tx) => ({
    subscription: await findSubscription(tx, to),
    event: await findEvent(tx),
  }))
  const left = createdAt.getTime() + NEWS_MS[news.what] - deps.now().getTime()
  const isCalledOff = event?.state === 'calledOff'
  if (!subscription || event?.id !== news.eventId || left < SECOND_MS) return null
  if (isCalledOff !== (news.what === 'calledOff') && news.what !== 'paid') return null
  const { endpoint, p256dh, auth, language } = subscription
  const topic = buildTopic(news)
  return {
    endpoint,
    keys: { p256dh, auth },
    payload: buildNotification(news, event, { language, url: deps.publicUrl(), topic }),
    ttl: Math.floor(left / SECOND_MS),
    urgency: news.what === 'paid' ? 'normal' : 'high',
    topic,
  }
}

const TOPIC_LENGTH = 32

/** The latest state of the event replaces an earlier one; payments are told one by one. */
const buildTopic = ({ what, about, eventId }: QueuedNews): string =>
  createHash('sha256')
    .update(what === 'paid' ? about : `${what === 'gateOpen' ? what : 'event'} ${eventId}`)
    .digest('base64url')
    .slice(0, TOPIC_LENGTH)
