import { useEffect, useState } from 'react'
import { useClock } from '../net/clock.ts'

interface TickOptions {
  everyMs: number
  page: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>
  onTick: () => void
}

/** Ticks while the page is visible, and at once when it becomes visible again. Returns a function that stops it. */
export function tickWhileVisible({ everyMs, page, onTick }: TickOptions): () => void {
  let timer: ReturnType<typeof setInterval> | undefined
  const run = () => {
    clearInterval(timer)
    timer = page.visibilityState === 'visible' ? setInterval(onTick, everyMs) : undefined
  }
  const onChange = () => {
    run()
    if (page.visibilityState === 'visible') onTick()
  }
  run()
  page.addEventListener('visibilitychange', onChange)
  return () => {
    clearInterval(timer)
    page.removeEventListener('visibilitychange', onChange)
  }
}

/** The device's time in ms, updated every `everyMs` while the page is visible: for ages and countdowns. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => tickWhileVisible({ everyMs, page: document, onTick: () => setNow(Date.now()) }), [everyMs])
  return now
}

/** The server's time in ms as far as this device knows it, updated like `useNow`. */
export function useServerNow(everyMs: number): number {
  const offset = useClock((clock) => clock.offset)
  return useNow(everyMs) + offset
}
