import { POLICY } from '../../src/site/policies/texts/en.ts'
import { facts } from '../../src/site/policies/texts/hi.ts'
import { expect, test } from '../support/fixtures.ts'

/** The facts of the policies, each on the page where a guest would look for it. */
const PAGES = [
  {
    path: '/privacy-policy',
    title: 'Privacy Policy',
    facts: [POLICY.dataKept, POLICY.serviceAge, POLICY.support],
  },
  {
    path: '/cancellation-policy',
    title: 'Cancellation Policy',
    facts: [
      'Version 2.0',
      POLICY.cutoff,
      POLICY.deduction,
      POLICY.transfer,
      POLICY.medical,
      POLICY.bereavement,
      POLICY.dispute,
      POLICY.support,
    ],
  },
  {
    path: '/refund-policy',
    title: 'Refund Policy',
    facts: [
      'Version 2.0',
      POLICY.deduction,
      '₹299 - ₹40 = ₹259',
      'original payment method',
      'confirmed by email',
      'within 5-7 business days',
      POLICY.refundCard,
      POLICY.refundNetBanking,
      POLICY.refundUpiAndWallets,
      POLICY.refundBankTransfer,
      POLICY.medical,
      POLICY.bereavement,
      POLICY.dispute,
      POLICY.support,
    ],
  },
  {
    path: '/terms-of-service',
    title: 'Terms of Service',
    facts: [
      'Version 1.0',
      POLICY.buyerAge,
      POLICY.serviceAge,
      POLICY.children,
      POLICY.transfer,
      'non-transferable',
      POLICY.dispute,
      POLICY.support,
    ],
  },
] as const

test('each policy tells its facts, and leads to the others and back home', async ({ page }) => {
  for (const { path, title, facts } of PAGES) {
    const others = page.getByRole('navigation', { name: 'Other policies' })
    await (path === PAGES[0].path ? page.goto(path) : others.getByRole('link', { name: title }).click())
    await expect(page).toHaveURL(new RegExp(`${path}$`))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page).toHaveTitle(`${title} · Garba Rass 2025`)
    for (const fact of facts) await expect(page.getByRole('article')).toContainText(fact)
    await expect(page.getByRole('article').getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:/)
    await page.getByRole('link', { name: 'Back to Home' }).first().click()
    await expect(page).toHaveURL(/\/$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Garba Rass 2025')
    await page.goBack()
  }
  await page.getByRole('navigation', { name: 'Other policies' }).getByRole('link', { name: PAGES[0].title }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(PAGES[0].title)
})

test('in another language the whole page is in it, and says that the English text is binding', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('garba.language', 'hi'))
  await page.goto('/refund-policy')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('रिफ़ंड नीति')
  await expect(page).toHaveTitle('रिफ़ंड नीति · Garba Rass 2025')
  await expect(page.getByText('संस्करण 2.0')).toBeVisible()
  await expect(page.getByText('यह अनुवाद है। अंग्रेज़ी पाठ ही बाध्यकारी है।')).toBeVisible()
  await expect(page.locator('article [lang=hi]').first()).toContainText(facts.deduction)
  await expect(page.locator('[lang=en]')).toHaveText(['English'])
  await expect(page.getByRole('link', { name: 'होम पर वापस जाएँ' })).toHaveCount(2)
  await page.getByRole('navigation', { name: 'अन्य नीतियाँ' }).getByRole('link', { name: 'सेवा की शर्तें' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('सेवा की शर्तें')
  await expect(page.getByRole('article')).toContainText(facts.children)
})

test('a language is fetched when it is chosen; without it the text stays English and is marked as English', async ({
  page,
}) => {
  await page.route(/\/assets\/gu-/, (route) => route.abort())
  await page.addInitScript(() => localStorage.setItem('garba.language', 'gu'))
  await page.goto('/cancellation-policy')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('રદ કરવાની નીતિ')
  await expect(page.locator('article [lang=en]').first()).toContainText(POLICY.deduction)
  await expect(page.getByText('અંગ્રેજી લખાણ જ બંધનકર્તા છે.')).toBeHidden()
})
