// Making an Intl formatter is slow and each holds tens of kilobytes, so each one is made once.
function madeOnce<Format, Options extends object>(make: (locale: string, options: Options) => Format) {
  const formats = new Map<string, Format>()
  return (locale: string, options: Options): Format => {
    const key = `${locale} ${JSON.stringify(options)}`
    const known = formats.get(key)
    if (known) return known
    const format = make(locale, options)
    formats.set(key, format)
    return format
  }
}

export const dateFormat = madeOnce(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
)
export const numberFormat = madeOnce(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
)

/** A number in Indian grouping with at most one decimal: `1,23,456.7`. */
export const formatDecimal = (n: number): string => numberFormat('en-IN', { maximumFractionDigits: 1 }).format(n)

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export interface Age {
  count: number
  unit: 'second' | 'minute' | 'hour' | 'day'
}

/** An age in the largest unit that fits, rounded down; hours up to two days. `ms` below zero counts as zero. */
export function ageOf(ms: number): Age {
  if (ms < MINUTE_MS) return { count: Math.max(0, Math.floor(ms / SECOND_MS)), unit: 'second' }
  if (ms < HOUR_MS) return { count: Math.floor(ms / MINUTE_MS), unit: 'minute' }
  if (ms < 2 * DAY_MS) return { count: Math.floor(ms / HOUR_MS), unit: 'hour' }
  return { count: Math.floor(ms / DAY_MS), unit: 'day' }
}

const SHORT_UNITS = { second: 's', minute: 'min', hour: 'h', day: 'days' } as const

/** An age in short: "8 s", "12 min", "3 h", "2 days". */
export function ageText(ms: number): string {
  const { count, unit } = ageOf(ms)
  return `${count} ${SHORT_UNITS[unit]}`
}
