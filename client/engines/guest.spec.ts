import { readCode } from '../e2e/support/readCode.ts'
import { expect, type Tab, test } from './support/fixtures.ts'
import { enter, expectToFit } from './support/people.ts'

const PHONE = { width: 390, height: 844 }
const GUEST = '/dashboard/guest'

const cards = (tab: Tab) => tab.getByRole('article')
const entryPass = (tab: Tab) => tab.getByRole('dialog', { name: 'Show at gate' })

/** The codes of the entry pass, one after the other, each read from a picture of the screen. */
async function readEntryPass(tab: Tab, count: number): Promise<string[]> {
  const read: string[] = []
  for (let at = 1; at <= count; at++) {
    await entryPass(tab).getByText(`${at} of ${count}`).waitFor()
    await expect.poll(async () => [...read, 'no code'].includes(await readCode(await tab.screenshot()))).toBe(false)
    read.push(await readCode(await tab.screenshot()))
    if (at < count) await tab.keyboard.press('ArrowRight')
  }
  return read.toSorted()
}

test('the landing page draws and fits', async ({ tab }) => {
  await tab.goto('/')
  await tab.getByRole('heading', { level: 1, name: 'Garba Rass 2025' }).waitFor()
  for (const id of ['about', 'details', 'countdown', 'features', 'venue', 'faq'])
    await tab.locator(`section#${id}`).waitFor()
  await expectToFit(tab)
  await tab.getByText('How do I get my tickets?').click()
  await tab.getByText(/choose how many you need/).waitFor()
})

test('a guest signs in, buys two tickets, and shows both codes with and without the server', async ({
  tab,
  server,
}) => {
  await tab.resize(PHONE)
  await enter(tab, 'guest')
  await tab.goto(GUEST)
  // Until the tickets are known, the page still makes room for them.
  await tab.locator('[aria-label="Your tickets in figures"] dd').first().filter({ hasText: /\d/ }).waitFor()
  await tab.getByRole('button', { name: 'Buy Tickets' }).click()
  const dialog = tab.getByRole('dialog')
  await dialog.getByRole('button', { name: 'One ticket more' }).click()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
  await tab.locator('[data-sonner-toast]').filter({ hasText: '🎉 2 ticket(s) purchased successfully!' }).waitFor()
  await expect.poll(() => cards(tab).count()).toBe(2)
  const sold = server.rows<{ code: string }>('select qr_code as code from tickets').map(({ code }) => code)
  expect(sold).toHaveLength(2)
  await expectToFit(tab)

  await tab.resize(PHONE)
  await tab.getByRole('link', { name: 'One code for both' }).click()
  await entryPass(tab).getByRole('button', { name: 'One by one' }).click()
  expect(await readEntryPass(tab, 2)).toEqual(sold.toSorted())
  await entryPass(tab).getByRole('button', { name: 'Close' }).click()
  await entryPass(tab).waitFor({ state: 'hidden' })

  await server.stop()
  await tab.reload()
  await expect.poll(() => cards(tab).count()).toBe(2)
  await tab.getByText('You are offline').first().waitFor()
  await tab.goto(`${GUEST}/gate`)
  expect(await readEntryPass(tab, 2)).toEqual(sold.toSorted())
})
