import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

interface Swipe {
  strip: RefObject<HTMLUListElement | null>
  /** The index of the page at the start of the strip. */
  at: number
  go: (to: number) => void
}

/** The distance between two pages in pixels. */
function stepOf({ children, clientWidth }: HTMLElement): number {
  const [first, second] = children
  const step =
    first instanceof HTMLElement && second instanceof HTMLElement ? Math.abs(second.offsetLeft - first.offsetLeft) : 0
  return Math.max(1, step || clientWidth)
}

/** Follows and moves a strip of pages. CSS scroll snap does the swiping. */
export function useSwipe({ count, start = 0 }: { count: number; start?: number }): Swipe {
  const strip = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(start)
  useLayoutEffect(() => {
    const element = strip.current
    if (!element) return
    if (start > 0) element.scrollTo({ left: start * stepOf(element), behavior: 'instant' })
    const look = () => setAt(Math.round(element.scrollLeft / stepOf(element)))
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [start])
  const go = useCallback(
    (to: number) => {
      const element = strip.current
      if (element) element.scrollTo({ left: Math.min(count - 1, Math.max(0, to)) * stepOf(element) })
    },
    [count],
  )
  return { strip, at: Math.min(at, Math.max(0, count - 1)), go }
}
