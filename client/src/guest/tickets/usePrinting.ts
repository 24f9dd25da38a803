import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * Whether the page is being put on paper: the print sheet is made for that moment alone. Both ways of hearing of it are
 * needed: Safari's print media query comes without the events, Firefox's events without the query.
 */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const tell = (is: boolean) => flushSync(() => setPrinting(is))
    const before = () => tell(true)
    const after = () => tell(false)
    const media = matchMedia('print')
    const changed = () => tell(media.matches)
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    media.addEventListener('change', changed)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
      media.removeEventListener('change', changed)
    }
  }, [])
  return printing
}
