import { useEffect, useState } from 'react'

interface Ticking {
  everyMs: number
  /** The document: says whether it is seen, and tells when that changes. */
  page: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>
  onTick: () => void
}

/** Ticks while the page is seen, and at once when it comes back into sight. Returns the way to end it. */
export function tickWhileSeen({ everyMs, page, onTick }: Ticking): () => void {
  let timer: ReturnType<typeof setInterval> | undefined
  const run = () => {
    clearInterval(timer)
    timer = page.visibilityState === 'visible' ? setInterval(onTick, everyMs) : undefined
  }
  const turned = () => {
    run()
    if (page.visibilityState === 'visible') onTick()
  }
  run()
  page.addEventListener('visibilitychange', turned)
  return () => {
    clearInterval(timer)
    page.removeEventListener('visibilitychange', turned)
  }
}

/** The device's time in ms, anew every `everyMs` while the page is seen: for ages and countdowns on the screen. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => tickWhileSeen({ everyMs, page: document, onTick: () => setNow(Date.now()) }), [everyMs])
  return now
}
