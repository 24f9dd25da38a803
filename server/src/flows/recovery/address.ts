import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '@garba/shared/constants'
import * as z from 'zod'
import { OPENED_AS, readMeta } from '../../store/meta.ts'
import type { Deps } from '../deps.ts'

/** At the start, writes wait at most this long. */
const PATIENCE_MS = 2_000
/** The pause between questions: URGENT_MS while no one can buy or be admitted here, otherwise QUIET_MS. */
const URGENT_MS = 3_000
const QUIET_MS = MINUTE_MS

const answerSchema = z.object({ success: z.literal(true), server: z.string() })

interface AddressQuestion {
  /** Asks an address; rejects without an answer. */
  ask?: (url: string) => Promise<Response>
  urgentMs?: number
}

export interface AddressWatch {
  begin: () => void
  idle: () => Promise<void>
}

const overNetwork = (url: string): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })

/**
 * Asks at PUBLIC_URL, at the start and regularly, who answers there. Without an answer the server goes on: its proxy or
 * DNS name may be set up later, and a venue may have no internet.
 */
export function watchAddress(
  deps: Deps,
  { ask = overNetwork, urgentMs = URGENT_MS }: AddressQuestion = {},
): AddressWatch {
  const { epoch, settings, stopping, log } = deps
  const { publicUrl, checksAddress } = settings
  const look = async (url: string) => {
    try {
      const who = await findAnswerer(deps.store, () => ask(`${url}/healthz`))
      if (who !== null) epoch.reportAnswerer(who)
    } catch (err) {
      log.warn({ err }, 'the address could not be checked')
    }
  }
  let running = Promise.resolve()
  const watch = async (url: string) => {
    const first = look(url)
    epoch.holdWrites(first)
    await first
    while (!stopping.aborted) {
      const pause = epoch.readOnly() === null ? QUIET_MS : urgentMs
      await sleep(pause, undefined, { signal: stopping, ref: false }).catch(() => undefined)
      if (!stopping.aborted) await look(url)
    }
  }
  return {
    begin: () => {
      if (checksAddress && publicUrl !== null) running = watch(publicUrl)
    },
    idle: () => running,
  }
}

/**
 * Servers of one database count as one, because each can read the id of the server that opened it last. Null without an
 * answer, or with one that is not a server's.
 */
export async function findAnswerer(
  store: Pick<Deps['store'], 'read'>,
  ask: () => Promise<Response>,
): Promise<'itself' | 'another' | null> {
  const openedAs = () => store.read((tx) => readMeta(tx, OPENED_AS))
  const before = await openedAs()
  const answer = answerSchema.safeParse(
    await ask()
      .then((response) => response.json())
      .catch(() => null),
  )
  if (!answer.success) return null
  const { server } = answer.data
  return server === before || server === (await openedAs()) ? 'itself' : 'another'
}
