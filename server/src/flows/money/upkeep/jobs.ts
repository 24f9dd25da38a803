import { LINK_PROVIDERS } from '@garba/shared/contracts/names'
import { retryAfterMs } from '@garba/shared/rules/orderMoney'
import * as z from 'zod'
import { factSchema } from '../../../providers/provider.ts'
import { endJob, isJobDue, type JobRow, type Lane, leaseJob, postponeJob } from '../../../store/jobs.ts'
import type { Deps } from '../../deps.ts'
import { readSettled } from '../../reconciliation/payouts.ts'
import { applyEvent } from '../orders/webhooks.ts'
import { sendRefund } from '../refunds/sendRefund.ts'
import { spreadNews } from './announce.ts'
import { Bounced, sendMail } from './mailJobs.ts'

/** No job takes this long: its server has died, and another takes the job up. */
const LEASE_MS = 120_000
const GIVE_UP_AFTER = 60
/** A refund job ends only when its outcome is known: until then the refund may not be changed by hand. */
const NEVER_GIVEN_UP = 'refund'

const EVENT = z.object({ id: z.string(), facts: z.array(factSchema) })
const REFUND = z.object({ refundId: z.string() })
const SETTLED = z.object({ provider: z.enum(LINK_PROVIDERS), day: z.string() })

type Work = (deps: Deps, job: JobRow) => Promise<void>

const WORK: Readonly<Record<string, Work>> = {
  event: (deps, { payload }) => applyEvent(deps, EVENT.parse(payload)),
  refund: (deps, { payload }) => sendRefund(deps, REFUND.parse(payload)),
  settled: (deps, { payload }) => readSettled(deps, SETTLED.parse(payload)),
  mail: sendMail,
  announce: spreadNews,
}

/**
 * Does all due work of a lane, one job after another. A failed job is tried again later, with growing pauses. Mails
 * have a lane of their own: a mail server that does not answer must not hold up money.
 */
export async function runJobs(deps: Deps, lane: Lane): Promise<void> {
  while (!deps.stopping.aborted) {
    const now = deps.now()
    if (!(await deps.store.read((tx) => isJobDue(tx, { now, lane })))) return
    const job = await deps.store.write((tx) => leaseJob(tx, { now, lane, leaseMs: LEASE_MS }))
    if (job) await runJob(deps, job)
  }
}

async function runJob(deps: Deps, job: JobRow): Promise<void> {
  try {
    await WORK[job.kind]?.(deps, job)
    await deps.store.write((tx) => endJob(tx, job.id, { endedAt: deps.now(), lastError: null }))
  } catch (error) {
    deps.log.warn({ err: error, job: job.id, attempts: job.attempts }, 'a job failed')
    const now = deps.now()
    const lastError = error instanceof Error ? error.message : String(error)
    await deps.store.write((tx) =>
      (job.attempts >= GIVE_UP_AFTER && job.kind !== NEVER_GIVEN_UP) || error instanceof Bounced
        ? endJob(tx, job.id, { endedAt: now, gaveUp: true, lastError })
        : postponeJob(tx, job.id, { dueAt: new Date(now.getTime() + retryAfterMs(job.attempts)), lastError }),
    )
  }
}
