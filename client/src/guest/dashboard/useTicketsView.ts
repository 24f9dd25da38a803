import { type RefObject, useCallback, useEffect } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/**
 * The way to the tickets section: by the tile, and by `?view=tickets` of the menu and of the app's shortcut, each time it
 * is followed. The focus goes there too.
 */
export function useTicketsView(heading: RefObject<HTMLHeadingElement | null>): () => void {
  const { key } = useLocation()
  const [search] = useSearchParams()
  const wanted = search.get('view') === 'tickets'
  const show = useCallback(() => {
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
  }, [heading])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes when the same link is followed again
  useEffect(() => {
    if (!wanted) return
    // After the shell has put the focus at the page's beginning.
    const frame = requestAnimationFrame(show)
    return () => cancelAnimationFrame(frame)
  }, [wanted, key, show])
  return show
}
