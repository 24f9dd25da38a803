import { formatDecimal } from './formats.ts'
import { formatCount } from './language.ts'

const units = {
  bytes: ['B', 'kB', 'MB', 'GB', 'TB'],
  day: 'd',
  hour: 'h',
  minute: 'min',
  moments: 'Less than a minute',
} as const
const STEP = 1_000
const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

/** Formats "12.4 MB" in decimal units, as on disk labels. */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.bytes.length - 1, Math.floor(Math.log10(bytes) / 3))
  const amount = formatDecimal(bytes / STEP ** power)
  return `${amount} ${units.bytes[power]}`
}

/** Formats "2 d 4 h", "3 h 12 min" or "5 min": the two largest units, rounded down. */
export function durationText(seconds: number): string {
  const days = Math.floor(seconds / DAY)
  const hours = Math.floor((seconds % DAY) / HOUR)
  const minutes = Math.floor((seconds % HOUR) / MINUTE)
  if (days > 0) return `${days} ${units.day} ${hours} ${units.hour}`
  if (hours > 0) return `${hours} ${units.hour} ${minutes} ${units.minute}`
  return minutes > 0 ? `${minutes} ${units.minute}` : units.moments
}

/** By how many minutes a forecast was off: "15 min too early". */
export const forecastOffText = (minutes: number): string =>
  minutes === 0 ? 'right' : `${formatCount(Math.abs(minutes))} min too ${minutes < 0 ? 'early' : 'late'}`
