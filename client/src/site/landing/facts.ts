import { DEFAULT_TIMEZONE, FALLBACK_EVENT } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Phase, SaleState } from '@garba/shared/contracts/site/site'
import { dateFormat } from '@garba/shared/intlFormats'
import { endTimeText, timeText } from '@garba/shared/messages/formats'
import { LANGUAGE_LOCALES, type Language, longDay } from '@garba/shared/messages/language'
import {
  findOnlineSale,
  getEventPhase,
  getStockLevel,
  nextPhaseAt,
  type Stock,
} from '@garba/shared/rules/event/evening'
import { formatRupees } from '@garba/shared/rules/money'
import { findLowestPrice, pickCurrentPrices } from '@garba/shared/rules/types/currentPrices'
import { useEffect, useState } from 'react'
import { useConfig } from '../../platform/config.ts'
import { serverNow, useClock } from '../../platform/net/clock.ts'
import { pageData } from '../../platform/pageData.ts'
import type { SiteWords } from '../words.ts'

/** An event as the landing page shows it, in the reader's language; with no event, the fallback values. */
export interface EventFacts {
  shortDate: string
  /** Sunday, 7 September 2025; null with no event, whose year is unknown. */
  longDate: string | null
  time: string
  venue: string
  description: string
  price: string
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

export function buildEventFacts(shown: FactsInput): EventFacts {
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
  const { ticketPrice, groupPrice4 } = pickCurrentPrices(event)
  const lowest = findLowestPrice(event)
  const saving = ticketPrice - groupPrice4
  return {
    ...dayWords(event.date, shown),
    time: words.timeRange(timeText(event.startTime, language), endTimeText(event, language)),
    venue: event.venue,
    description: event.description,
    price: lowest === null ? formatRupees(ticketPrice) : words.hero.from(formatRupees(lowest)),
    group: lowest === null && saving > 0 ? { price: formatRupees(groupPrice4), saving: formatRupees(saving) } : null,
  }
}

export interface EventStatus {
  phase: Phase
  stock: Stock
  sale: SaleState
  onSale: boolean
}

export function useEventStatus(event: GarbaEvent | null): EventStatus {
  const { phase, sale } = useMoment(event)
  const stock = event === null ? 'enough' : getStockLevel(event)
  return { phase, stock, sale, onSale: sale === 'open' }
}

type Moment = Pick<EventStatus, 'phase' | 'sale'>

/** A device that sleeps misses its timers, and timers longer than 24 days run at once. */
const LOOK_AGAIN_MS = 60_000

/** Hydration must find the server's phase and sale; after that, this device keeps them up to date. */
function useMoment(event: GarbaEvent | null): Moment {
  const [moment, setMoment] = useState<Moment | null>(null)
  const offset = useClock((clock) => clock.offset)
  const timeZone = useConfig(({ config }) => config?.timezone ?? DEFAULT_TIMEZONE)
  useEffect(() => {
    if (event === null) return
    let timer: ReturnType<typeof setTimeout>
    const updatePhase = () => {
      const at = Date.now() + offset
      setMoment({ phase: getEventPhase(event, timeZone, at), sale: findOnlineSale(event, at) })
      const next = nextPhaseAt(event, at)
      if (next !== null) timer = setTimeout(updatePhase, Math.min(next - at, LOOK_AGAIN_MS))
    }
    updatePhase()
    return () => clearTimeout(timer)
  }, [event, offset, timeZone])
  if (event === null) return { phase: 'before', sale: 'open' }
  const rendered = pageData()
  if (moment !== null) return moment
  const now = serverNow().getTime()
  return {
    phase: rendered?.phase ?? getEventPhase(event, timeZone, now),
    sale: rendered?.sale ?? findOnlineSale(event, now),
  }
}
