import { LANGUAGES } from '@garba/shared/messages/language'
import { DESK } from './desk.ts'
import { DESK_MONEY } from './deskMoney.ts'
import { DEVICE_SHOTS } from './devices.ts'
import { GUESTS } from './guest.ts'
import { HELD_TYPE_SHOTS } from './heldTypes.ts'
import { ORDERS } from './orders.ts'
import { RESTORED } from './restored.ts'
import { SCANNER } from './scanner.ts'
import type { Shot } from './scene.ts'
import { SELLING } from './selling.ts'
import { SITE } from './site.ts'
import { TYPE_SHOTS } from './types.ts'
import { WALLET } from './wallet.ts'

const SCREENS: Record<string, Shot> = {
  ...SITE,
  ...GUESTS,
  ...WALLET,
  ...ORDERS,
  ...SCANNER,
  ...DESK,
  ...DESK_MONEY,
  ...DEVICE_SHOTS,
  ...RESTORED,
  ...SELLING,
  ...TYPE_SHOTS,
  ...HELD_TYPE_SHOTS,
}

/** What people print: tickets, receipts and lists. */
const PRINTED = [
  'guest with an open row',
  'guest with long names',
  'guest in Gujarati',
  'order paid',
  'order paid in Gujarati',
  'order with a refund',
  'types one couple',
  'types order',
  'scanner test code',
  'desk sold',
  'desk tickets with long names',
  'desk order refunded in part',
  'desk money',
  'desk evening with a double admission',
  'desk register',
  'desk evacuation sheet',
]

/** A guest's way from the landing page to the gate. */
const GUESTS_WAY = [
  'site sign-in by email',
  'guest without tickets',
  'guest buying',
  'guest confirming',
  'order payment choice',
  'order held',
  'order by upi',
  'order paid',
  'guest has bought',
  'guest with twelve tickets',
  'guest with an open menu',
  'guest naming a ticket',
  'guest entry pass',
  'guest cancelling',
  'guest cancelling, second step',
]

/** A checker's way from pairing to the last scan. */
const CHECKERS_WAY = [
  'scanner ready',
  'scanner running',
  'scanner lets in',
  'scanner lets in, pending',
  'scanner refuses a used ticket',
  'scanner reads a group',
  'scanner finds by name',
  'scanner recent scans',
  'scanner menu',
  'scanner readiness',
  'scanner camera blocked',
  'scanner scans to send',
  'sale at the door, form',
  'sale at the door, sold',
  'sale at the door, cash closed',
]

/** What an admin looks at on a phone. */
const DESKS_WAY = [
  'desk home',
  'desk tickets',
  'desk users',
  'desk analytics',
  'desk gate',
  'desk event',
  'desk order refunded in part',
  'desk payouts with differences',
  'desk sell, cash closed',
]

const IN = { en: 'English', gu: 'Gujarati', hi: 'Hindi' }
/** On the smallest phone, with text twice as large. */
const LARGE = { text: 200, widths: [360] }

/** The same screens with other settings. */
function variants(names: readonly string[], more: (name: string) => Record<string, Partial<Shot>>) {
  const entries = names.flatMap((name) => {
    const shot = SCREENS[name]
    if (shot === undefined) throw new Error(`There is no screen ${name}`)
    return Object.entries(more(name)).map(([as, changes]) => [as, { ...shot, ...changes }] as const)
  })
  return Object.fromEntries(entries)
}

/** Every screen in each of its states, by name. */
export const SHOTS: Record<string, Shot> = {
  ...SCREENS,
  ...variants(PRINTED, (name) => ({ [`printed ${name}`]: { print: true } })),
  ...variants(GUESTS_WAY, (name) =>
    Object.fromEntries(
      LANGUAGES.map((language) => [
        `large ${name} in ${IN[language]}`,
        language === 'en' ? LARGE : { ...LARGE, language },
      ]),
    ),
  ),
  ...variants(CHECKERS_WAY, (name) => ({ [`large ${name}`]: LARGE })),
  ...variants(DESKS_WAY, (name) => ({ [`large ${name}`]: { ...LARGE, whole: true } })),
}
