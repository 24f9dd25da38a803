import { DEFAULT_TIMEZONE } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { dateFormat, numberFormat } from '@garba/shared/intlFormats'
import { endTimeText, momentText, roundAge, tidyTime, timeText } from '@garba/shared/messages/formats'
import { LANGUAGE_LOCALES, type Language, longDay } from '@garba/shared/messages/language'
import { toLocalDay } from '@garba/shared/rules/event/calendar'
import { isAtNight } from '@garba/shared/rules/event/evening'
import { useMemo } from 'react'
import { useConfig } from '../platform/config.ts'
import { useLanguage } from '../platform/language.ts'
import { useWords } from './words.ts'

/** "5 minutes ago" in a language; null within the first minute, which has its own words. `ageMs` in milliseconds. */
function formatAgo(ageMs: number, language: Language): string | null {
  const { count, unit } = roundAge(ageMs)
  return unit === 'second' ? null : new Intl.RelativeTimeFormat(LANGUAGE_LOCALES[language]).format(-count, unit)
}

function formatWeekday(day: string, language: Language): string {
  const noon = new Date(`${day}T12:00:00Z`)
  const part = (options: Intl.DateTimeFormatOptions) =>
    dateFormat(LANGUAGE_LOCALES[language], { ...options, timeZone: 'UTC' }).format(noon)
  return `${part({ weekday: 'long' })} ${part({ day: 'numeric', month: 'long' })}`
}

export type Format = ReturnType<typeof useFormat>

export function useFormat() {
  const language = useLanguage((store) => store.language)
  const timeZone = useConfig(({ config }) => config?.timezone ?? DEFAULT_TIMEZONE)
  const words = useWords()
  return useMemo(
    () => ({
      timeZone,
      day: (day: string) => longDay(day, language),
      weekday: (day: string) => formatWeekday(day, language),
      time: (hhmm: string) => timeText(hhmm, language),
      hours: (event: Pick<GarbaEvent, 'startTime' | 'endTime' | 'endsNextDay'>) =>
        words.event.timeRange(timeText(event.startTime, language), endTimeText(event, language)),
      moment: (iso: string) => momentText(iso, { language, timeZone }),
      clock: (iso: string) =>
        tidyTime(
          dateFormat(LANGUAGE_LOCALES[language], { hour: 'numeric', minute: '2-digit', hour12: true, timeZone }).format(
            new Date(iso),
          ),
        ),
      date: (iso: string) =>
        dateFormat(LANGUAGE_LOCALES[language], { dateStyle: 'long', timeZone }).format(new Date(iso)),
      ago: (at: number, now: number) => formatAgo(now - at, language) ?? words.age.justNow,
      count: (n: number) => numberFormat(LANGUAGE_LOCALES[language], {}).format(n),
    }),
    [language, timeZone, words],
  )
}

export type EventDay = 'tonight' | 'today'

type DayOfEvent = Pick<GarbaEvent, 'date' | 'startTime' | 'endsAt'>

/** 'today' or 'tonight' from the event's first moment until it ends, which may be after midnight; otherwise null. `now` in ms. */
export function findEventDayKind(event: DayOfEvent | null, timeZone: string, now: number): EventDay | null {
  if (event === null || toLocalDay(new Date(now), timeZone) < event.date || now >= Date.parse(event.endsAt)) return null
  return isAtNight(event) ? 'tonight' : 'today'
}
