import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { CONFIRMED_AT, OPENED_AS, readMeta, writeMeta } from '../../store/meta.ts'
import type { Deps } from '../deps.ts'

/** After a restart, writes wait at most this long. */
const PATIENCE_MS = 2_000
/** The pause between questions: URGENT_MS while no one can buy or be admitted here, otherwise QUIET_MS. */
const URGENT_MS = 3_000
const QUIET_MS = 60_000
/** Clients can trigger a question, but at most this often. */
const REST_MS = 5_000

const answerSchema = z.object({
  success: z.literal(true),
  server: z.string(),
  succession: z.object({ epoch: z.number().int(), proof: z.string().max(64) }).optional(),
})

interface Asking {
  /** Asks an address; rejects without an answer. */
  ask?: (url: string) => Promise<Response>
  urgentMs?: number
  restMs?: number
}

export interface AddressWatch {
  /** Starts asking, once the server can be reached. */
  begin: () => void
  idle: () => Promise<void>
}

const overNetwork = (url: string): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })

/**
 * Asks at PUBLIC_URL until the server finds itself there. From then on it asks there and at PEERS, regularly and when a
 * client shows a later epoch, whether another server has taken over. A server that never found itself may write anyway,
 * because its proxy or DNS name may be set up later.
 */
export function watchAddress(
  deps: Deps,
  { ask = overNetwork, urgentMs = URGENT_MS, restMs = REST_MS }: Asking = {},
): AddressWatch {
  const { epoch, settings, stopping, log } = deps
  const { publicUrl, checksAddress, peers } = settings
  let confirmed = false
  const meetsAt = (url: string) => meetsItself(deps, { url, ask }).catch(() => false)
  const look = async () => {
    const [found] = await Promise.all([publicUrl === null ? false : meetsAt(publicUrl), ...peers.map(meetsAt)])
    if (!checksAddress || publicUrl === null) return
    if (found && !confirmed) await confirm(deps, publicUrl)
    confirmed ||= found
    epoch.decide(confirmed)
  }
  const lookSafely = () => look().catch((err: unknown) => log.warn({ err }, 'the address could not be checked'))
  const watch = async () => {
    while (!stopping.aborted) {
      await lookSafely()
      const pause = epoch.readOnly() === null ? QUIET_MS : urgentMs
      await sleep(pause, undefined, { signal: stopping, ref: false }).catch(() => undefined)
    }
    // Waiting writes are let through or refused.
    if (checksAddress) epoch.decide(confirmed)
  }
  let running = Promise.resolve()
  let looking = Promise.resolve()
  let resting = false
  const askSoon = () => {
    if (resting || stopping.aborted) return
    resting = true
    setTimeout(() => {
      resting = false
    }, restMs).unref()
    looking = lookSafely()
  }
  return {
    begin: () => {
      epoch.onLater(askSoon)
      if (checksAddress || peers.length > 0) running = watch()
    },
    idle: async () => {
      await Promise.all([running, looking])
    },
  }
}

/**
 * Servers of one database count as one, because each can read the id of the server that opened it last. Any other
 * server may prove that it has taken over.
 */
async function meetsItself(
  { store, epoch }: Deps,
  { url, ask }: { url: string; ask: (url: string) => Promise<Response> },
): Promise<boolean> {
  const openedAs = () => store.read((tx) => readMeta(tx, OPENED_AS))
  const before = await openedAs()
  const question = epoch.question()
  const answer = await ask(`${url}/healthz?succession=${question}`)
  const { server, succession } = answerSchema.parse(await answer.json())
  if (server === before || server === (await openedAs())) return true
  if (succession) epoch.learn({ ...succession, question, at: url })
  return false
}

async function confirm({ store, epoch }: Deps, publicUrl: string): Promise<void> {
  epoch.decide(true)
  if ((await store.read((tx) => readMeta(tx, CONFIRMED_AT))) === publicUrl) return
  await store.write((tx) => writeMeta(tx, CONFIRMED_AT, publicUrl))
}
