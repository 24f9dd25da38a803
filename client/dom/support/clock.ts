import { type Clock, withGlobal } from '@sinonjs/fake-timers'
import type { PageWindow } from './window.ts'

/** The time of one tab's pages, apart from the server's and the test's, with the interface of Playwright's clock. */
export class PageClock {
  private kind: 'real' | 'fixed' | 'flowing' | 'still' = 'real'
  private time = 0
  private clock: Clock | null = null
  private window: PageWindow | null = null

  /** From now on, and over reloads, time flows from this moment, and can be moved. */
  install({ time = Date.now() }: { time?: number | Date } = {}): void {
    this.begin('flowing', time)
  }

  /** The time of day is fixed; timers run as usual. */
  setFixedTime(time: number | Date): void {
    this.begin('fixed', time)
  }

  /** Time and timers stand until they are moved. */
  pauseAt(time: number | Date): void {
    this.begin('still', time)
  }

  /** Lets so much time pass, with every timer in it. */
  async runFor(ms: number): Promise<void> {
    await this.clock?.tickAsync(ms)
  }

  /** As if the device had slept: each timer that is due runs once. */
  fastForward(ms: number): void {
    this.clock?.jump(ms)
  }

  enter(window: PageWindow): void {
    this.window = window
    if (this.kind === 'real') return
    this.clock = withGlobal(window).install({
      now: this.time,
      // The page may have begun under the real clock.
      shouldClearNativeTimers: true,
      toFake: this.kind === 'fixed' ? ['Date'] : ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
      ...(this.kind === 'flowing' ? { shouldAdvanceTime: true, advanceTimeDelta: 10 } : {}),
    })
  }

  leave(): void {
    if (this.clock !== null) this.time = this.clock.now
    this.clock?.uninstall()
    this.clock = null
    this.window = null
  }

  private begin(kind: 'fixed' | 'flowing' | 'still', time: number | Date): void {
    const { window } = this
    this.leave()
    this.kind = kind
    this.time = Number(time)
    if (window !== null) this.enter(window)
  }
}
