import { SHOTS } from './shots/all.ts'
import { inShot } from './shots/scene.ts'
import { test } from './support/fixtures.ts'
import { expectNoViolationsInBothSizes } from './support/screen.ts'

/** The pictured screens with something over the page: a menu, a list, a dialog, a sheet, a notice or the whole window. */
const OVERLAYS = [
  'site account chooser',
  'site account chooser closed',
  'site account menu',
  'site sign-in failed',
  'site in Instagram',
  'site sign-in by mail',
  'site unsent scans',
  'guest has bought',
  'guest with an open menu',
  'guest naming a ticket',
  'guest changing the name',
  'guest confirming offline',
  'guest entry pass of a group',
  'wallet code of a ticket',
  'wallet owner sends to a friend',
  'wallet owner asks for a new code',
  'order payment choice',
  'order waiting in the dialog in Gujarati',
  'desk list of statuses',
  'desk list of filters',
  'desk role change, list',
  'desk tickets selected',
  'desk tickets, bulk update',
  'desk ticket menu',
  'desk ticket deletion, can undo',
  'desk palette',
  'desk person menu',
  'desk person, erase?',
  'desk person not erased',
  'desk evening gates, edit',
  'desk wall with gates and trouble',
  'desk event closing',
  'desk event saving',
  'desk order, refund',
  'desk order, confirm payment',
  'desk order, cancel?',
  'desk sold',
  'desk sold, offered to an account',
  'desk money, choosing days',
  'desk statement, set aside',
  'devices form with gates picked',
  'devices code to pair',
  'lost ticket, confirm?',
  'lost ticket, refuse?',
  'sale at the door, codes',
  'sale at the door, closing cash',
  'scanner lets in',
  'scanner refuses a used ticket',
  'scanner reads a group',
  'scanner finds by name',
  'scanner menu',
  'scanner names the device',
  'scanner recent scans',
  'scanner double admission',
  'scanner scans to send',
  'scanner leaving with unsent scans',
] as const

for (const name of OVERLAYS)
  test(`axe finds nothing, wide or narrow: ${name}`, async ({ browser }) => {
    const shot = SHOTS[name]
    if (shot === undefined) throw new Error('There is no such picture.')
    await inShot(browser, shot, ({ page }) => expectNoViolationsInBothSizes(page, name))
  })
