import { READINESS } from '@garba/shared/messages/readiness'
import { clockOffset, isDrifting } from '../../platform/net/clock.ts'
import { checkRoster, syncRoster } from '../sync/syncRoster.ts'
import { bad, good, type Result, weak } from './result.ts'

const MINUTE_MS = 60_000

/** The device's clock against the server's, measured now. Throws ApiFailure. */
export async function checkClock(): Promise<Result> {
  await syncRoster()
  const off = Math.abs(clockOffset())
  if (isDrifting(clockOffset())) return bad(READINESS.clock.bad(Math.round(off / MINUTE_MS)))
  return good(READINESS.clock.good(Math.ceil(off / 1000)))
}

/** The list against the server's, by count and hash; one that differs is fetched whole first. Throws ApiFailure. */
export async function checkList(): Promise<Result> {
  const { same, here, server } = await checkRoster()
  if (!same) return bad(READINESS.roster.bad(here.count, server.count))
  return here.count === 0 ? weak(READINESS.roster.empty) : good(READINESS.roster.good(here.count))
}
