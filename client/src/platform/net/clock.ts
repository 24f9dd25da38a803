import { CLOCK_DRIFT_WARN_MS } from '@garba/shared/constants'
import { create } from 'zustand'
import { local } from '../store/local.ts'

/** One comparison with the server: device times of sending and receiving, and the server's time in between, all ms. */
export interface ClockSample {
  sentAt: number
  receivedAt: number
  serverTime: number
}

/** Server time minus device time in ms, taking the middle of the round trip as the server's moment. */
export const computeClockOffset = ({ sentAt, receivedAt, serverTime }: ClockSample): number =>
  Math.round(serverTime - (sentAt + receivedAt) / 2)

/** The sample with the shortest round trip: it is wrong by at most half of that. */
export const findBestSample = (samples: readonly ClockSample[]): ClockSample | undefined =>
  samples.toSorted((a, b) => a.receivedAt - a.sentAt - (b.receivedAt - b.sentAt))[0]

const KEY = 'garba.clockOffset'
const KEEP = 8
/** A sample that is off by more than this and its own error means that the clock was set: older samples are worthless. */
const JUMP_MS = 5_000
/** No answer takes longer: the clock was set meanwhile, or the device slept, so the middle of the round trip means nothing. */
const ROUND_TRIP_MAX_MS = 60_000
let samples: ClockSample[] = []

/** `offset`: server time minus device time in ms; 0 until measured. */
export const useClock = create(() => ({ offset: Number(local.read(KEY)) || 0 }))

/** Records a comparison with the server's clock; a coarse sample only if it shows that the clock was set. */
export function recordServerTime(sample: ClockSample, isCoarse = false): void {
  const roundTrip = sample.receivedAt - sample.sentAt
  if (roundTrip < 0 || roundTrip > ROUND_TRIP_MAX_MS) return
  const jumped = Math.abs(computeClockOffset(sample) - useClock.getState().offset) > JUMP_MS + roundTrip / 2
  if (isCoarse && !jumped) return
  samples = [...(jumped ? [] : samples), sample].slice(-KEEP)
  const best = findBestSample(samples) ?? sample
  useClock.setState({ offset: computeClockOffset(best) })
  local.write(KEY, String(computeClockOffset(best)))
}

/**
 * Learns the server's time from the Date header of an answer, which counts whole seconds, if this device's clock is
 * further off than that.
 */
export const recordDateHeader = (date: string | null, sentAt: number): void =>
  recordServerTime({ sentAt: sentAt - 1_000, receivedAt: Date.now(), serverTime: Date.parse(date ?? '') }, true)

export async function recordAnswerTime<A extends { serverTime?: string | undefined }>(request: Promise<A>): Promise<A> {
  const sentAt = Date.now()
  const answer = await request
  const serverTime = Date.parse(answer.serverTime ?? '')
  if (!Number.isNaN(serverTime)) recordServerTime({ sentAt, receivedAt: Date.now(), serverTime })
  return answer
}

export const clockOffset = (): number => useClock.getState().offset
export const serverNow = (): Date => new Date(Date.now() + clockOffset())
export const isDrifting = (offset: number): boolean => Math.abs(offset) > CLOCK_DRIFT_WARN_MS
