import { dateFormat, numberFormat } from '../intlFormats.ts'

/**
 * The guest side has three languages; English is the source. A translated file is written as `export const gu = {...}
 * as const satisfies Translation<typeof en>`: a sentence that is missing, obsolete, or takes other values than the
 * English one does not compile.
 */
export const LANGUAGES = ['en', 'gu', 'hi'] as const
export type Language = (typeof LANGUAGES)[number]

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', gu: 'ગુજરાતી', hi: 'हिन्दी' }

/** The locales for Intl's dates and numbers: the language's words, but always Latin digits. */
export const LANGUAGE_LOCALES: Readonly<Record<Language, string>> = {
  en: 'en-IN',
  gu: 'gu-IN-u-nu-latn',
  hi: 'hi-IN-u-nu-latn',
}

export const isLanguage = (text: unknown): text is Language => LANGUAGES.some((language) => language === text)

/** A day 'YYYY-MM-DD' of the event's calendar, never shifted between time zones: "Sunday, 7 September 2025". */
export const longDay = (day: string, language: Language): string =>
  dateFormat(LANGUAGE_LOCALES[language], { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`))

const FIRST_GROUPED = 1_000

/**
 * A count in Indian grouping, like amounts: `1,23,456`. Small counts need no formatter, whose making would slow down a
 * phone's start.
 */
export const formatCount = (n: number): string =>
  Number.isInteger(n) && Math.abs(n) < FIRST_GROUPED ? String(n) : numberFormat('en-IN', {}).format(n)

export const formatTicketCount = (n: number): string => (n === 1 ? '1 ticket' : `${formatCount(n)} tickets`)

/** The shape of a catalogue in another language: the same keys, lists of the same length and the same parameters. */
export type Translation<Source> = Source extends string
  ? string
  : Source extends (...values: infer Values) => infer Result
    ? (...values: Values) => Translation<Result>
    : { readonly [Key in keyof Source]: Translation<Source[Key]> }
