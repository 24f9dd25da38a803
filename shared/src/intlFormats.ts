// An Intl formatter is slow to make and takes tens of kilobytes, so each one is made once.
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
