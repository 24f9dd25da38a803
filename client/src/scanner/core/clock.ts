import { DEFAULT_TIMEZONE } from '@garba/shared/constants'
import { useConfig } from '../../platform/config.ts'
import { serverNow } from '../../platform/net/clock.ts'
import { eveningOf, momentText } from './moment.ts'
import type { Clock } from './words.ts'

export const timeZoneNow = (): string => useConfig.getState().config?.timezone ?? DEFAULT_TIMEZONE
/** The server's time as this device knows it, in the event's zone. */
export const clockNow = (): Clock => ({ now: serverNow(), timeZone: timeZoneNow() })
/** A time as people read it: "11:30 PM", with the day if it is neither today nor near. */
export const timeTextOf = (iso: string): string =>
  momentText({ instant: new Date(iso), now: serverNow(), timeZone: timeZoneNow() })
export const eveningNow = (): string => eveningOf(serverNow(), timeZoneNow())
