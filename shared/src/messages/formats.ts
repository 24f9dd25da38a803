import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../constants.ts'
import type { GarbaEvent } from '../contracts/event.ts'
import type { SaleState } from '../contracts/site/site.ts'
import { dateFormat, numberFormat } from '../intlFormats.ts'
import { LANGUAGE_LOCALES, type Language } from './language.ts'

/** A number in Indian grouping with at most one decimal: `1,23,456.7`. */
export const formatDecimal = (n: number): string => numberFormat('en-IN', { maximumFractionDigits: 1 }).format(n)

export interface Age {
  count: number
  unit: 'second' | 'minute' | 'hour' | 'day'
}

/** An age in the largest unit that fits, rounded down; hours up to two days. `ms` below zero counts as zero. */
export function roundAge(ms: number): Age {
  if (ms < MINUTE_MS) return { count: Math.max(0, Math.floor(ms / SECOND_MS)), unit: 'second' }
  if (ms < HOUR_MS) return { count: Math.floor(ms / MINUTE_MS), unit: 'minute' }
  if (ms < 2 * DAY_MS) return { count: Math.floor(ms / HOUR_MS), unit: 'hour' }
  return { count: Math.floor(ms / DAY_MS), unit: 'day' }
}

export const SHORT_UNITS = { second: 's', minute: 'min', hour: 'h', day: 'days' } as const

export function ageText(ms: number, units: Readonly<Record<Age['unit'], string>> = SHORT_UNITS): string {
  const { count, unit } = roundAge(ms)
  return `${count} ${units[unit]}`
}

/** Some locales use a narrow no-break space and lower case: "6:30 pm" becomes "6:30 PM". */
export const tidyTime = (text: string): string =>
  text.replaceAll(/\s/g, ' ').replace(/\b[ap]m\b/, (part) => part.toUpperCase())

export const timeText = (hhmm: string, language: Language): string =>
  tidyTime(
    dateFormat(LANGUAGE_LOCALES[language], {
      hour: 'numeric',
      minute: '2-digit',
      hour12: true,
      timeZone: 'UTC',
    }).format(new Date(`2000-01-01T${hhmm}:00Z`)),
  )

/** An instant in a time zone: "22 Sept 2025, 6:30 PM". */
export const momentText = (iso: string, { language, timeZone }: { language: Language; timeZone: string }): string =>
  tidyTime(
    dateFormat(LANGUAGE_LOCALES[language], {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      hour12: true,
      timeZone,
    }).format(new Date(iso)),
  )

const NEXT_DAY = { en: '(next day)', gu: '(બીજા દિવસે)', hi: '(अगले दिन)' } as const satisfies Record<Language, string>

export const endTimeText = (
  { endTime, endsNextDay }: { endTime: string; endsNextDay?: boolean | undefined },
  language: Language,
): string => `${timeText(endTime, language)}${endsNextDay ? ` ${NEXT_DAY[language]}` : ''}`

/** A page's words; each loads those of one language alone. */
interface SaleWords {
  over?: string
  calledOff?: string
  ended: string
  begin: (at: string) => string
  paused: string
}

/** Why guests cannot buy online now; null while they can, and when everything is sold. */
export function describeSale(
  { salesFrom, paused }: Pick<GarbaEvent, 'salesFrom' | 'paused'>,
  sale: SaleState,
  { words, ...place }: { words: SaleWords; language: Language; timeZone: string },
): string | null {
  if (sale === 'paused') return `${words.paused} ${paused ?? ''}`
  if (sale === 'notYet') return words.begin(momentText(salesFrom ?? '', place))
  return sale === 'over' || sale === 'ended' || sale === 'calledOff' ? (words[sale] ?? null) : null
}
