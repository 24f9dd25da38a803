import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

type Parts = typeof import('./sections/Sections.tsx')
type More = { type: 'waiting' } | { type: 'failed' } | { type: 'here'; parts: Parts }

/** Once fetched they render at once, so that Back finds the page at its old height. */
let fetched: Parts | null = null

/** Everything below the hero, fetched after the hero is shown: when the browser is idle, or on the first scroll. */
export function useMore(): { more: More; fetchMore: () => void } {
  const [more, setMore] = useState<More>(() => (fetched ? { type: 'here', parts: fetched } : { type: 'waiting' }))
  const fetchMore = useCallback(() => {
    import('./sections/Sections.tsx').then(
      (parts) => {
        fetched = parts
        setMore({ type: 'here', parts })
      },
      (error: unknown) => {
        console.warn('The sections could not be fetched', error)
        setMore({ type: 'failed' })
      },
    )
  }, [])
  useWhenCalm(fetchMore)
  useHashTarget(more.type === 'here')
  return { more, fetchMore }
}

const IDLE_AT_MOST_MS = 1_500

/** Runs once, when the page has loaded and the browser is idle, or when the reader scrolls. */
function useWhenCalm(run: () => void) {
  const done = useRef(false)
  useEffect(() => {
    const once = () => {
      if (done.current) return
      done.current = true
      run()
    }
    // Safari has no requestIdleCallback.
    const later =
      'requestIdleCallback' in window
        ? window.requestIdleCallback(once, { timeout: IDLE_AT_MOST_MS })
        : setTimeout(once, IDLE_AT_MOST_MS / 3)
    window.addEventListener('scroll', once, { once: true, passive: true })
    return () => {
      if ('cancelIdleCallback' in window) window.cancelIdleCallback(later as number)
      else clearTimeout(later)
      window.removeEventListener('scroll', once)
    }
  }, [run])
}

/** Scrolls to /#faq, which was requested before the FAQ was there. */
function useHashTarget(here: boolean) {
  const { hash } = useLocation()
  useEffect(() => {
    if (here && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [here, hash])
}
