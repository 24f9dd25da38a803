/** What remains until a moment, in whole units. */
export interface Remaining {
  days: number
  hours: number
  minutes: number
  seconds: number
}

export type Countdown = { at: 'before'; left: Remaining } | { at: 'running' } | { at: 'over' }

/** Where `now` stands to an evening; all three are instants in ms. */
export function countdownOf({ now, start, end }: { now: number; start: number; end: number }): Countdown {
  if (now >= end) return { at: 'over' }
  if (now >= start) return { at: 'running' }
  const whole = Math.ceil((start - now) / 1000)
  return {
    at: 'before',
    left: {
      days: Math.floor(whole / 86_400),
      hours: Math.floor(whole / 3_600) % 24,
      minutes: Math.floor(whole / 60) % 60,
      seconds: whole % 60,
    },
  }
}
