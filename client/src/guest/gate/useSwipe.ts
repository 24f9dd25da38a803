import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/**
 * A strip of pages that snap (CSS scroll snap): which one is in sight, and the way to another. A finger moves it by itself.
 */
export function useSwipe({ count, start }: { count: number; start: number }): {
  strip: RefObject<HTMLUListElement | null>
  at: number
  go: (to: number) => void
} {
  const strip = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(start)
  useLayoutEffect(() => {
    const element = strip.current
    if (!element) return
    element.scrollTo({ left: start * element.clientWidth, behavior: 'instant' })
    const look = () => setAt(Math.round(element.scrollLeft / Math.max(1, element.clientWidth)))
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [start])
  const go = useCallback(
    (to: number) => {
      const element = strip.current
      const held = Math.min(count - 1, Math.max(0, to))
      element?.scrollTo({ left: held * element.clientWidth })
    },
    [count],
  )
  return { strip, at, go }
}
