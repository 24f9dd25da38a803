import { DEFAULT_TIMEZONE } from '@garba/shared/constants'
import { ageText } from '@garba/shared/messages/formats'
import { dayBefore, toLocalDay, toLocalHour } from '@garba/shared/rules/event/calendar'
import { scanTimeText } from '@garba/shared/rules/phones/scanTime'
import { useConfig } from '../../platform/config.ts'
import { serverNow } from '../../platform/net/clock.ts'
import { AGE_UNITS } from '../texts/scanner.ts'
import type { Clock } from './words.ts'

/** An evening that runs past midnight is still one evening: its tiles reset at six in the morning. */
const EVENING_ENDS = 6
export const getEveningDay = (now: Date, timeZone: string): string =>
  dayBefore(toLocalDay(now, timeZone), toLocalHour(now, timeZone) < EVENING_ENDS ? 1 : 0)

export const timeZoneNow = (): string => useConfig.getState().config?.timezone ?? DEFAULT_TIMEZONE
export const clockNow = (): Clock => ({ now: serverNow(), timeZone: timeZoneNow() })
/** A time as people read it: "11:30 PM", with the day if it is neither today nor near. */
export const formatScannerTime = (iso: string): string =>
  scanTimeText({ instant: new Date(iso), now: serverNow(), timeZone: timeZoneNow() })
export const eveningNow = (): string => getEveningDay(serverNow(), timeZoneNow())

export const formatAge = (ms: number): string => ageText(ms, AGE_UNITS)
