import type { Ticket } from '@garba/shared/contracts/ticket'
import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Printing one ticket; `only` is it until the printer's window has gone. The browser's own Print prints all active ones. */
export function usePrint(): { print: (ticket: Ticket) => void; only: Ticket | null } {
  const [only, setOnly] = useState<Ticket | null>(null)
  useEffect(() => {
    const over = () => setOnly(null)
    window.addEventListener('afterprint', over)
    return () => window.removeEventListener('afterprint', over)
  }, [])
  const print = useCallback((ticket: Ticket) => {
    flushSync(() => setOnly(ticket))
    window.print()
  }, [])
  return { print, only }
}
