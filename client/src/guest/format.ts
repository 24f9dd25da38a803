import { DEFAULT_TIMEZONE } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { ageOf, dateFormat, endTimeText, numberFormat, tidyTime, timeText } from '@garba/shared/messages/formats'
import { LANGUAGE_LOCALES, type Language, longDay } from '@garba/shared/messages/language'
import { dayOf } from '@garba/shared/rules/calendar'
import { isAtNight } from '@garba/shared/rules/evening'
import { useMemo } from 'react'
import { useConfig } from '../platform/config.ts'
import { useLanguage } from '../platform/language.ts'
import { useWords } from './words.ts'

/** "5 minutes ago" in a language; null within the first minute, which has its own words. `ageMs` in milliseconds. */
function agoOf(ageMs: number, language: Language): string | null {
  const { count, unit } = ageOf(ageMs)
  return unit === 'second' ? null : new Intl.RelativeTimeFormat(LANGUAGE_LOCALES[language]).format(-count, unit)
}

/** An instant in the event's time zone. */
const momentOf = (iso: string, { language, timeZone }: { language: Language; timeZone: string }): string =>
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

export type Format = ReturnType<typeof useFormat>

/** Days, times and counts in the chosen language and the event's time zone. */
export function useFormat() {
  const language = useLanguage((store) => store.language)
  const timeZone = useConfig(({ config }) => config?.timezone ?? DEFAULT_TIMEZONE)
  const words = useWords()
  return useMemo(
    () => ({
      timeZone,
      day: (day: string) => longDay(day, language),
      /** A time 'HH:MM' of the event's calendar. */
      time: (hhmm: string) => timeText(hhmm, language),
      hours: (event: Pick<GarbaEvent, 'startTime' | 'endTime' | 'endsNextDay'>) =>
        words.event.timeRange(timeText(event.startTime, language), endTimeText(event, language)),
      moment: (iso: string) => momentOf(iso, { language, timeZone }),
      /** The day of an instant, without its time. */
      date: (iso: string) =>
        dateFormat(LANGUAGE_LOCALES[language], { dateStyle: 'long', timeZone }).format(new Date(iso)),
      /** How long ago a device time was. */
      ago: (at: number, now: number) => agoOf(now - at, language) ?? words.age.justNow,
      count: (n: number) => numberFormat(LANGUAGE_LOCALES[language], {}).format(n),
    }),
    [language, timeZone, words],
  )
}

export type EventDay = 'tonight' | 'today'

type DayOfEvent = Pick<GarbaEvent, 'date' | 'startTime' | 'endsAt'>

/** 'today' or 'tonight' from the event's first moment until it ends, which may be after midnight; otherwise null. `now` in ms. */
export function eventDayOf(event: DayOfEvent | null, timeZone: string, now: number): EventDay | null {
  if (event === null || dayOf(new Date(now), timeZone) < event.date || now >= Date.parse(event.endsAt)) return null
  return isAtNight(event) ? 'tonight' : 'today'
}
