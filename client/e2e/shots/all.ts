import { DESK } from './desk.ts'
import { DESK_MONEY } from './deskMoney.ts'
import { DEVICE_SHOTS } from './devices.ts'
import { GUESTS } from './guest.ts'
import { ORDERS } from './orders.ts'
import { RESTORED } from './restored.ts'
import { SCANNER } from './scanner.ts'
import type { Shot } from './scene.ts'
import { SELLING } from './selling.ts'
import { SITE } from './site.ts'
import { WALLET } from './wallet.ts'

/** Every screen in each of its states, by name. */
export const SHOTS: Record<string, Shot> = {
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
}
