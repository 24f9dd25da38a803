import type { RefObject } from 'react'

/**
 * Where a menu or list opens: in the page's main landmark, where those who move by landmarks find it, or in the dialog it
 * belongs to, because all else is inert then. A dialog cuts off what is not fixed.
 */
export const popupPlace = (opener?: RefObject<Element | null>): RefObject<HTMLElement | null> => ({
  get current() {
    return opener?.current?.closest<HTMLElement>('[role="dialog"]') ?? document.querySelector('main')
  },
})
