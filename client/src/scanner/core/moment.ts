import { DEFAULT_TIMEZONE } from '@garba/shared/constants'
import { dayBefore, dayOf, hourOf } from '@garba/shared/rules/calendar'
import { momentText } from '@garba/shared/rules/phones/scanTime'
import { useConfig } from '../../platform/config.ts'
import { serverNow } from '../../platform/net/clock.ts'
import type { Clock } from './words.ts'

/** An evening that runs past midnight is still one evening: its tiles reset at six in the morning. */
const EVENING_ENDS = 6
export const eveningOf = (now: Date, timeZone: string): string =>
  dayBefore(dayOf(now, timeZone), hourOf(now, timeZone) < EVENING_ENDS ? 1 : 0)

export const timeZoneNow = (): string => useConfig.getState().config?.timezone ?? DEFAULT_TIMEZONE
/** The server's time as this device knows it, in the event's zone. */
export const clockNow = (): Clock => ({ now: serverNow(), timeZone: timeZoneNow() })
/** A time as people read it: "11:30 PM", with the day if it is neither today nor near. */
export const timeTextOf = (iso: string): string =>
  momentText({ instant: new Date(iso), now: serverNow(), timeZone: timeZoneNow() })
export const eveningNow = (): string => eveningOf(serverNow(), timeZoneNow())
