import { HOMES, PAIR_PAGE } from '@garba/shared/contracts/site/pages'
import type { Language } from '@garba/shared/messages/language'
import { prepareDevice } from '../support/devices.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { latinIn } from '../support/latin.ts'

const WORDS = {
  gu: {
    itself: 'ગુજરાતી',
    who: 'કોણ સ્કેન કરે છે?',
    name: 'તમારું નામ',
    start: 'શિફ્ટ શરૂ કરો',
    scan: 'સ્કેનર ચાલુ કરો',
    allowed: 'પ્રવેશ મંજૂર! | Garima Guest, પધારો',
    used: /^ટિકિટ વપરાઈ ગઈ છે \| Garima Guest \| પ્રવેશ થયો: .*Ravi.* \| નામ પૂછો, પછી ઓળખ તપાસો/,
    unreadable: 'અમાન્ય QR કોડ | QR કોડ ઓળખાયો નહીં | કાઉન્ટર પર મોકલો',
    menu: 'સ્કેનરનું મેનૂ',
  },
  hi: {
    itself: 'हिन्दी',
    who: 'कौन स्कैन कर रहा है?',
    name: 'आपका नाम',
    start: 'शिफ़्ट शुरू करें',
    scan: 'स्कैनर चालू करें',
    allowed: 'प्रवेश मंज़ूर! | Garima Guest, स्वागत है',
    used: /^टिकट इस्तेमाल हो चुका \| Garima Guest \| प्रवेश हुआ: .*Ravi.* \| नाम पूछें, फिर पहचान जाँचें/,
    unreadable: 'अमान्य QR कोड | QR कोड पहचाना नहीं गया | काउंटर पर भेजें',
    menu: 'स्कैनर का मेन्यू',
  },
} as const satisfies Partial<Record<Language, object>>

const latinWords = async (page: Page) =>
  (await page.locator('main').evaluate(latinIn)).filter((text) => !/^(Ravi|Gate A|English)$/.test(text))

async function openIn(page: Page, server: TestServer, language: keyof typeof WORDS): Promise<Gate> {
  const words = WORDS[language]
  const { code } = await prepareDevice(server, { rights: ['scan'] })
  const gate = await Gate.on(page)
  await page.goto(`${PAIR_PAGE}#${code}`)
  await expect(page.getByRole('heading', { name: 'Who is scanning?' })).toBeVisible()
  await page.getByRole('button', { name: words.itself }).click()
  await expect(page.getByRole('heading', { name: words.who })).toBeVisible()
  expect(await latinWords(page)).toEqual([])
  await page.getByRole('textbox', { name: words.name }).fill('Ravi')
  await page.getByRole('button', { name: words.start }).click()
  await page.getByRole('button', { name: words.scan }).click()
  return gate
}

for (const language of ['gu', 'hi'] as const)
  test(`a phone on which ${language} was chosen gives verdicts, reasons and next steps in it, and keeps it`, async ({
    server,
    page,
  }) => {
    const words = WORDS[language]
    const [ticket] = await (await server.api('guest')).buy(1)
    const gate = await openIn(page, server, language)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expect(page.locator('[data-camera="scanning"]')).toBeVisible()
    expect(await latinWords(page)).toEqual([])
    expect(await gate.scan(ticket.qrCode)).toMatchObject({
      look: 'allowed',
      words: expect.stringContaining(words.allowed),
    })
    expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'refused', words: expect.stringMatching(words.used) })
    expect(await gate.scan('https://example.org')).toMatchObject({ look: 'refused', words: words.unreadable })

    await page.goto(HOMES.qrchecker)
    await expect(page.getByRole('button', { name: words.scan })).toBeVisible()
    await page.getByRole('button', { name: words.menu }).click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await expect(page.getByRole('button', { name: 'Start Scanner' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })
