/** A place on a page, and the page itself, in Chromium or in jsdom (client/dom). */
interface Place<L> extends Within<L> {
  click(): Promise<void>
  fill(text: string): Promise<void>
  check(): Promise<void>
  isVisible(): Promise<boolean>
  waitFor(): Promise<void>
  first(): L
}
interface Within<L> {
  getByRole(
    role: 'article' | 'button' | 'checkbox' | 'dialog' | 'heading' | 'menu' | 'menuitem' | 'textbox',
    options?: { name?: string | RegExp; exact?: boolean },
  ): L
  getByText(text: string): L
  locator(css: string): L
}

export const GUEST = '/dashboard/guest'

export const hero = <L>(page: Within<L>): L => page.locator('section[aria-labelledby="event-name"]')
export const section = <L>(page: Within<L>, id: string): L => page.locator(`section#${id}`)

export const ticketCards = <L>(page: Within<L>): L => page.getByRole('article')

/** What begins a purchase, with tickets and without. */
export const buyButton = <L extends Place<L>>(page: Within<L>): L =>
  page.getByRole('button', { name: /^Buy (Tickets|More Tickets|Your First Ticket)$/ }).first()

/** Opens a closed line of the home. */
export const openLine = <L extends Place<L>>(
  page: Within<L>,
  name: 'Event and map' | 'Prices' | 'Your details',
): Promise<void> => page.getByRole('heading', { name, exact: true }).click()

/** The moment after a purchase. */
export const moment = <L>(page: Within<L>, count: number): L =>
  page.getByText(count === 1 ? 'Your ticket is ready for the gate.' : `Your ${count} tickets are ready for the gate.`)

/** The item of a ticket's menu, which is opened. */
export async function inMenu<L extends Place<L>>(page: Within<L>, card: L, name: string): Promise<L> {
  await card
    .getByRole('button', { name: /^More for ticket/ })
    .first()
    .click()
  await page.getByRole('menu').waitFor()
  return page.getByRole('menuitem', { name, exact: true })
}

/** A button of a ticket's details, which are opened. */
export async function inDetails<L extends Place<L>>(page: Within<L>, card: L, name: string): Promise<L> {
  const button = card.getByRole('button', { name, exact: true })
  if (!(await button.isVisible())) await (await inMenu(page, card, 'Details')).click()
  return button
}

/** The first step of a purchase, filled in. */
export async function choose<L extends Place<L>>(page: Within<L>, quantity: number): Promise<L> {
  await buyButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'How many tickets?' }).fill(String(quantity))
  await dialog.getByRole('checkbox').check()
  return dialog
}

/** A purchase up to its second step. */
export async function order<L extends Place<L>>(page: Within<L>, quantity: number): Promise<L> {
  const dialog = await choose(page, quantity)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('heading', { name: 'Confirm Your Order' }).waitFor()
  return dialog
}
