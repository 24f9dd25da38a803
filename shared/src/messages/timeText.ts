import { dateFormat } from './formats.ts'
import { LANGUAGE_LOCALES, type Language } from './language.ts'

/** Some locales use a narrow no-break space and small letters: "6:30 pm" becomes "6:30 PM". */
export const tidyTime = (text: string): string =>
  text.replaceAll(/\s/g, ' ').replace(/\b[ap]m\b/, (part) => part.toUpperCase())

/** '18:30' as 6:30 PM in a language. */
export const timeText = (hhmm: string, language: Language): string =>
  tidyTime(
    dateFormat(LANGUAGE_LOCALES[language], {
      hour: 'numeric',
      minute: '2-digit',
      hour12: true,
      timeZone: 'UTC',
    }).format(new Date(`2000-01-01T${hhmm}:00Z`)),
  )

const NEXT_DAY = { en: '(next day)', gu: '(બીજા દિવસે)', hi: '(अगले दिन)' } as const satisfies Record<Language, string>

/** When an event ends, as people read it: "10:30 PM", or "1:00 AM (next day)". */
export const endTimeText = (
  { endTime, endsNextDay }: { endTime: string; endsNextDay?: boolean | undefined },
  language: Language,
): string => `${timeText(endTime, language)}${endsNextDay ? ` ${NEXT_DAY[language]}` : ''}`
