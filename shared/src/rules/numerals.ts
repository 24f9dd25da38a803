const NUMERAL = /^\s*\+?[.,\d]*\d[.,\d]*(e[+-]?\d+)?\s*$/i
/** A day as Gnumeric and Excel read it: 8MAR2025. */
const DAY = /^\s*\d{1,2}[A-Z]{3}\d{4}\s*$/i

/**
 * Whether a spreadsheet takes a text for a number or a day: it would drop the leading zero of 012345678901 and show
 * 12345E67 as 1.2E+71.
 */
export const isNumeral = (text: string): boolean => NUMERAL.test(text) || DAY.test(text)
