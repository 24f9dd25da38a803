import type { Timer } from './model.ts'

export interface Timers {
  /** Restarts it. */
  set(timer: Timer, ms: number): void
  clear(timer: Timer): void
}

/** The camera's timers, each running at most once at a time. */
export function createTimers(onTimeUp: (timer: Timer) => void): Timers {
  const running = new Map<Timer, ReturnType<typeof setTimeout>>()
  const clear = (timer: Timer) => clearTimeout(running.get(timer))
  return {
    set(timer, ms) {
      clear(timer)
      running.set(
        timer,
        setTimeout(() => onTimeUp(timer), ms),
      )
    },
    clear,
  }
}
