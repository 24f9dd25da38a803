import { newestPaymentAt } from '../../../store/payments.ts'
import type { Deps } from '../../deps.ts'
import { applyFacts } from '../orders/applyFacts.ts'
import { notedProblem } from '../orders/links.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Late payments reach two days back; a backup should not be older than a month. */
const BACK = { least: 2 * DAY_MS, most: 30 * DAY_MS }

/**
 * Asks the providers for every payment since the newest one known here, at start and daily. After an older backup is
 * restored, it finds the money of orders missing from the backup, which then waits for the desk as unmatched money.
 */
export async function catchUp(deps: Deps): Promise<void> {
  const now = deps.now().getTime()
  const newest = (await deps.store.read(newestPaymentAt))?.getTime() ?? now - BACK.most
  const from = new Date(Math.max(now - BACK.most, Math.min(newest - HOUR_MS, now - BACK.least)))
  for (const [name, provider] of Object.entries(deps.providers)) {
    try {
      await applyFacts(deps, await provider.since(from))
    } catch (error) {
      if (!notedProblem(deps, error, { code: name })) throw error
    }
  }
}
