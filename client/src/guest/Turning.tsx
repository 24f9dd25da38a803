import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '../kit/IconButton.tsx'
import styles from './Turning.module.css'
import { useWords } from './words.ts'

/** The buttons turn to the previous or next ticket; the position between them is announced. */
export const Turning = ({ at, of, go }: { at: number; of: number; go: (to: number) => void }) => {
  const { entryPass: words } = useWords()
  return (
    <>
      <IconButton
        outlined
        label={words.previous}
        icon={<ChevronLeft aria-hidden="true" />}
        aria-disabled={at === 0}
        className={styles.turn}
        onClick={() => go(at - 1)}
      />
      <p className={styles.count} aria-live="polite">
        {words.of(at + 1, of)}
      </p>
      <IconButton
        outlined
        label={words.next}
        icon={<ChevronRight aria-hidden="true" />}
        aria-disabled={at === of - 1}
        className={styles.turn}
        onClick={() => go(at + 1)}
      />
    </>
  )
}

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
