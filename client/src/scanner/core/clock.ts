import { DEFAULT_TIMEZONE } from '@garba/shared/constants'
import { useConfig } from '../../platform/config.ts'
import { serverNow } from '../../platform/net/clock.ts'
import { eveningOf } from './moment.ts'
import type { Clock } from './words.ts'

export const timeZoneNow = (): string => useConfig.getState().config?.timezone ?? DEFAULT_TIMEZONE
/** The server's time as this device knows it, in the event's zone. */
export const clockNow = (): Clock => ({ now: serverNow(), timeZone: timeZoneNow() })
export const eveningNow = (): string => eveningOf(serverNow(), timeZoneNow())
