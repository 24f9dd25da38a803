import { DEFAULT_TIMEZONE, FALLBACK_EVENT } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Phase } from '@garba/shared/contracts/site/site'
import { dateFormat, endTimeText, timeText } from '@garba/shared/messages/formats'
import { LANGUAGE_LOCALES, type Language, longDay } from '@garba/shared/messages/language'
import { nextPhaseAt, phaseOf, type Stock, stockOf } from '@garba/shared/rules/evening'
import { formatRupees } from '@garba/shared/rules/money'
import { useEffect, useState } from 'react'
import { useConfig } from '../../platform/config.ts'
import { serverNow, useClock } from '../../platform/net/clock.ts'
import { pageData } from '../../platform/page.ts'
import type { SiteWords } from '../words.ts'

/** An event as the landing page shows it, in the reader's language; with no event, the fallback values. */
export interface EventFacts {
  /** Sept 7 */
  shortDate: string
  /** Sunday, 7 September 2025; null with no event, whose year is unknown. */
  longDate: string | null
  time: string
  venue: string
  description: string
  price: string
  /** null when four tickets cost no less each. */
  group: { price: string; saving: string } | null
}

interface FactsInput {
  event: GarbaEvent | null
  words: SiteWords
  language: Language
}

/** A day of the event's calendar, formatted without shifting it between time zones. */
function dayWords(day: string, { words, language }: FactsInput): Pick<EventFacts, 'shortDate' | 'longDate'> {
  const locale = LANGUAGE_LOCALES[language]
  const noon = new Date(`${day}T12:00:00Z`)
  const part = (options: Intl.DateTimeFormatOptions) => dateFormat(locale, { ...options, timeZone: 'UTC' }).format(noon)
  return {
    shortDate: words.shortDate(part({ day: 'numeric' }), part({ month: 'short' })),
    longDate: longDay(day, language),
  }
}

export function factsOf(shown: FactsInput): EventFacts {
  const { event, words, language } = shown
  if (event === null)
    return {
      shortDate: words.fallback.date,
      longDate: null,
      time: words.fallback.time,
      venue: words.fallback.venue,
      description: words.fallback.description,
      price: formatRupees(FALLBACK_EVENT.ticketPrice),
      group: null,
    }
  const saving = event.ticketPrice - event.groupPrice4
  return {
    ...dayWords(event.date, shown),
    time: words.timeRange(timeText(event.startTime, language), endTimeText(event, language)),
    venue: event.venue,
    description: event.description,
    price: formatRupees(event.ticketPrice),
    group: saving > 0 ? { price: formatRupees(event.groupPrice4), saving: formatRupees(saving) } : null,
  }
}

export interface Evening {
  phase: Phase
  stock: Stock
  /** Whether tickets can be bought. */
  onSale: boolean
}

/** The state of an event at this moment. Without an event it is on sale, like the fallback values. */
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
  const offset = useClock((clock) => clock.offset)
  const timeZone = useConfig(({ config }) => config?.timezone ?? DEFAULT_TIMEZONE)
  useEffect(() => {
    if (event === null) return
    let timer: ReturnType<typeof setTimeout>
    const look = () => {
      const at = Date.now() + offset
      setPhase(phaseOf(event, timeZone, at))
      const next = nextPhaseAt(event, at)
      if (next !== null) timer = setTimeout(look, Math.min(next - at, LOOK_AGAIN_MS))
    }
    look()
    return () => clearTimeout(timer)
  }, [event, offset, timeZone])
  if (event === null) return 'before'
  return phase ?? pageData()?.phase ?? phaseOf(event, timeZone, serverNow().getTime())
}
