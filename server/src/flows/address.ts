import { setTimeout as sleep } from 'node:timers/promises'
import { EPOCH_HEADER } from '@garba/shared/constants'
import * as z from 'zod'
import { CONFIRMED_AT, OPENED_AS, readMeta, writeMeta } from '../store/meta.ts'
import type { Deps } from './deps.ts'

/** Writes wait so long at most after a restart. */
const PATIENCE_MS = 2_000
/** How often it asks again: while nobody can buy or be admitted here, and otherwise. */
const URGENT_MS = 3_000
const QUIET_MS = 60_000

const answerSchema = z.object({ success: z.literal(true), server: z.string() })

interface Asking {
  /** Asks an address; rejects where nothing answers. */
  ask?: (url: string) => Promise<Response>
  urgentMs?: number
}

export interface AddressWatch {
  /** Begins to ask, now that the server can be reached. */
  begin: () => void
  idle: () => Promise<void>
}

const overNetwork = (url: string): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })

/**
 * Asks at PUBLIC_URL whether the server meets itself there, until it does, and then now and again whether a later epoch
 * answers (DECISIONS 9). A server that was never met there writes all the same: the proxy or the name may come later.
 */
export function watchAddress(deps: Deps, { ask = overNetwork, urgentMs = URGENT_MS }: Asking = {}): AddressWatch {
  const { epoch, settings, stopping, log } = deps
  const { publicUrl, checksAddress } = settings
  if (!checksAddress || publicUrl === null) return { begin: () => undefined, idle: async () => undefined }
  let confirmed = false
  const look = async () => {
    const found = await meetsItself(deps, () => ask(`${publicUrl}/healthz`)).catch(() => false)
    if (found && !confirmed) await confirm(deps, publicUrl)
    confirmed ||= found
    epoch.decide(confirmed)
  }
  const watch = async () => {
    while (!stopping.aborted) {
      await look().catch((err: unknown) => log.warn({ err }, 'the address could not be checked'))
      const pause = epoch.readOnly() === null ? QUIET_MS : urgentMs
      await sleep(pause, undefined, { signal: stopping, ref: false }).catch(() => undefined)
    }
    // Whoever still waits is answered.
    epoch.decide(confirmed)
  }
  let running = Promise.resolve()
  return {
    begin: () => {
      running = watch()
    },
    idle: () => running,
  }
}

/** Servers of one database are one: each knows as what it was opened last. */
async function meetsItself({ store, epoch }: Deps, ask: () => Promise<Response>): Promise<boolean> {
  const openedAs = () => store.read((tx) => readMeta(tx, OPENED_AS))
  const before = await openedAs()
  const answer = await ask()
  const shown = answer.headers.get(EPOCH_HEADER)
  if (shown !== null) epoch.hear(shown)
  const { server } = answerSchema.parse(await answer.json())
  return server === before || server === (await openedAs())
}

async function confirm({ store, epoch }: Deps, publicUrl: string): Promise<void> {
  epoch.decide(true)
  if ((await store.read((tx) => readMeta(tx, CONFIRMED_AT))) === publicUrl) return
  await store.write((tx) => writeMeta(tx, CONFIRMED_AT, publicUrl))
}
