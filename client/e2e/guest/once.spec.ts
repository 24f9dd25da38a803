import { changeEvent, runningNow } from '../support/event.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { buyButton, GUEST, inMenu, moment, openDashboard, openLine, ticketCards } from '../support/guest.ts'

const BLOCKS = 'p, h1, h2, h3, h4, li, dt, dd, a, button, summary, label, legend'
/** Time and place of the event, which the ticket and the event's own line both have to name. */
const NAMES = new Set(['Rangmanch Grounds, Sindhu Bhavan Road, Ahmedabad', '6:30 PM - 10:30 PM'])

const isSentence = (text: string) => (/[.!?]$/.test(text) ? /\w \w/.test(text) : text.split(' ').length > 4)

/** Sentences that the page shows more than once, for eyes or for screen readers. */
async function findRepeated(page: Page): Promise<string[]> {
  const texts = await page.evaluate(
    (blocks) =>
      [...document.querySelectorAll(blocks)]
        .filter(
          (element) => element.querySelector(blocks) === null && element.checkVisibility({ visibilityProperty: true }),
        )
        .filter((element) => element.closest('[aria-hidden="true"], [inert]') === null)
        .map(({ textContent }) => textContent.replaceAll(/[\s\u200b]+/g, ' ').trim()),
    BLOCKS,
  )
  const said = texts.filter((text) => isSentence(text) && !NAMES.has(text))
  return said.filter((text, at) => said.indexOf(text) !== at)
}

test('no page of a guest says one sentence twice', async ({ page, server }) => {
  const [guest, checker, admin] = [await server.api('guest'), await server.api('checker'), await server.api('admin')]
  const once = (screen: string) => expect.poll(() => findRepeated(page), screen).toEqual([])

  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Book Your Tickets Now' }).first()).toBeVisible()
  await once('landing page')
  await openDashboard(page)
  await once('home without tickets')
  const dialog = page.getByRole('dialog')
  await buyButton(page).click()
  await dialog.getByRole('textbox', { name: 'How many tickets?' }).fill('4')
  await once('purchase')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await once('confirmation')
  await dialog.getByRole('button', { name: /^Get/ }).click()
  await expect(moment(page, 4)).toBeVisible()
  await page.getByText('Who is coming with you?').click()
  await once('after buying')
  await page.keyboard.press('Escape')
  await expect(moment(page, 4)).toBeHidden()
  for (const line of ['Event and map', 'Prices', 'Your details'] as const) await openLine(page, line)
  await once('home with its lines open')
  await (await inMenu(page, ticketCards(page).first(), 'Cancel')).click()
  await dialog.getByRole('textbox').fill('Ill')
  await once('cancellation')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue Cancellation' }).click()
  await once('confirmation of the cancellation')
  await dialog.getByRole('button', { name: 'Close' }).first().click()

  const tickets = (await guest.call('myTickets')).body.tickets as { _id: string; qrCode: string }[]
  const link = { ticketIds: [tickets[0]?._id ?? ''], purpose: 'share', from: 'Garima' } as const
  const made = await guest.call('makeLink', { body: link })
  await changeEvent(admin, runningNow())
  await checker.call('markUsed', { body: { qrCode: tickets[1]?.qrCode ?? '' } })
  await page.goto(GUEST)
  await expect(page.getByText('light 1 of the circle')).toBeVisible()
  await once('home on the evening')
  await page.goto(`${GUEST}/gate`)
  await once('entry pass')
  const { url } = made.body.link as { url: string }
  await page.goto(url.slice(url.indexOf('/dashboard')))
  await expect(page.getByText(/^Garima is taking you to garba, /)).toBeVisible()
  await once('tickets from a link')
})
