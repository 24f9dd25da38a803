import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Phase } from '@garba/shared/contracts/site/pageData'
import { nextPhaseAt, phaseOf, type Stock, stockOf } from '@garba/shared/rules/evening'
import { useEffect, useState } from 'react'
import { serverNow } from '../../platform/net/clock.ts'
import { pageData } from '../../platform/page.ts'

export interface Evening {
  phase: Phase
  stock: Stock
  /** Tickets can be bought. */
  onSale: boolean
}

/** What an event is at this moment. With no event it is as SPEC 2's fallback: on sale. */
export function useEvening(event: GarbaEvent | null): Evening {
  const phase = usePhase(event)
  const stock = event === null ? 'enough' : stockOf(event)
  return { phase, stock, onSale: phase !== 'over' && stock !== 'none' }
}

/** A device that sleeps misses its timers, and longer ones than 24 days run at once. */
const LOOK_AGAIN_MS = 60_000

/** Hydration must find the server's phase; after that, this device keeps it up to date. */
function usePhase(event: GarbaEvent | null): Phase {
  const [phase, setPhase] = useState<Phase | null>(null)
  useEffect(() => {
    if (event === null) return
    let timer: ReturnType<typeof setTimeout>
    const look = () => {
      const at = serverNow().getTime()
      setPhase(phaseOf(event, at))
      const next = nextPhaseAt(event, at)
      if (next !== null) timer = setTimeout(look, Math.min(next - at, LOOK_AGAIN_MS))
    }
    look()
    return () => clearTimeout(timer)
  }, [event])
  if (event === null) return 'before'
  return phase ?? pageData()?.phase ?? phaseOf(event, serverNow().getTime())
}
