import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { LANGUAGES } from '@garba/shared/messages/language'
import { ulidOf } from '@garba/shared/testing/ids'
import type { Attachment, Email } from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { type MailServer, makeMailServer } from '../testing/mailServer.ts'
import { aMail, codeOf, MAIL_SITE, MAIL_TYPES, MAILED_EVENT } from '../testing/mails.ts'
import { composeLetter } from './compose.ts'
import { makeMailer } from './mailer.ts'
import type { Mail } from './mails.ts'

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(readFileSync(wasm)).buffer } })

const FROM = { name: 'Garba Rass 2025', address: 'tickets@example.org' }
const AT = new Date('2025-09-01T10:00:00Z')

let server: MailServer
beforeAll(async () => {
  server = await makeMailServer({}, afterAll)
})

/** The mail as somebody's mail program gets it. */
async function received(mail: Mail): Promise<Email> {
  const settings = { smtpUrl: server.smtpUrl, from: `${FROM.name} <${FROM.address}>` }
  const mailer = makeMailer({
    payments: { on: true },
    mail: settings,
    mailDir: '',
    demo: false,
    eventTitle: '',
    supportEmail: '',
  })
  const letter = await composeLetter(mail, MAIL_SITE)
  const key = randomUUID()
  expect(await mailer?.send(letter, { key, at: AT })).toEqual({ outcome: 'accepted' })
  const email = server.mails.find(({ messageId }) => messageId === `<${key}@example.org>`)
  if (!email) throw new Error('No mail')
  return email
}

const bytesOf = ({ content }: Attachment): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer))

/** The HTML's text as a reader sees it. */
const seen = (html: string | undefined): string =>
  (html ?? '')
    .replaceAll(/<title>.*<\/title>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')

describe.each(LANGUAGES)('in %s', (language) => {
  test('each mail arrives whole, as text and as HTML', async () => {
    // The server lets everybody wait before its greeting, so all are sent at once.
    const mails = MAIL_TYPES.map((type) => aMail(type, language))
    const emails = await Promise.all(mails.map(received))
    for (const [index, mail] of mails.entries()) {
      const email = emails[index]
      const letter = await composeLetter(mail, MAIL_SITE)
      expect(email).toMatchObject({ from: FROM, to: [mail.to], subject: letter.subject, date: AT.toISOString() })
      expect(email?.text?.trim()).toBe(letter.text.trim())
      expect(email?.html?.trim()).toBe(letter.html.trim())
      for (const words of [email?.text ?? '', seen(email?.html)])
        for (const fact of [mail.to.name, mail.orderCode, MAIL_SITE.supportEmail]) expect(words).toContain(fact)
      expect(email?.text).toContain(`${MAIL_SITE.url}/dashboard/guest`)
      expect(email?.html).toContain(`href="${MAIL_SITE.url}/dashboard/guest"`)
      expect(email?.html).toContain(`<html lang="${language}">`)
      // Nothing is fetched, counted or run, and no placeholder is left.
      expect(email?.html).not.toMatch(/<(script|style|table|link|iframe)|src="(?!cid:)|url\(/)
      expect(`${email?.subject}${email?.text}${email?.html}`).not.toMatch(/undefined|\[object|NaN|=>/)
    }
  })

  test('the mail of a paid order has a code for each ticket, with number and name, and the amount', async () => {
    const mail = aMail('paid', language)
    const email = await received(mail)
    if (mail.type !== 'paid') throw new Error('Another mail')
    const pictures = email.attachments.filter(({ mimeType }) => mimeType === 'image/png')
    expect(pictures).toHaveLength(2)
    for (const [index, { id, qrCode, name }] of mail.tickets.entries()) {
      const picture = pictures[index]
      if (!picture) throw new Error('No picture')
      expect(picture.disposition).toBe('inline')
      const [code] = await readBarcodes(bytesOf(picture), { formats: ['QRCode'] })
      expect(code?.text).toBe(qrCode)
      const cid = picture.contentId?.replaceAll(/[<>]/g, '')
      expect(email.html).toMatch(new RegExp(`<img src="cid:${cid}" alt="[^"]*${id.slice(-8)}[^"]*" width="240"`))
      for (const words of [email.text ?? '', seen(email.html)]) {
        expect(words).toContain(id.slice(-8))
        expect(words).toContain(name)
        expect(words).toContain('₹598')
        expect(words).toContain(MAILED_EVENT.venue)
      }
    }
  })
})

test('several tickets are numbered, those without a name of their own are asked for it, and the venue opens in maps', async () => {
  const mail = aMail('paid')
  if (mail.type !== 'paid') throw new Error('Another mail')
  const tickets = mail.tickets.map((ticket) => ({ ...ticket, name: mail.to.name }))
  const asks = 'Who is coming with you?'
  const several = await composeLetter({ ...mail, tickets }, MAIL_SITE)
  const map = `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(MAILED_EVENT.venue)}`
  expect(several.text).toContain(map)
  expect(several.html).toContain(`<a href="${map.replace('&', '&amp;')}"`)
  for (const words of [several.text, seen(several.html)])
    for (const part of ['1 of 2', '2 of 2', asks]) expect(words).toContain(part)
  expect(several.html.indexOf('1 of 2')).toBeLessThan(several.html.indexOf(MAILED_EVENT.venue))

  const single = await composeLetter({ ...mail, tickets: tickets.slice(0, 1) }, MAIL_SITE)
  expect(single.text).not.toContain('1 of 1')
  expect(single.text).not.toContain(asks)
  expect((await composeLetter(mail, MAIL_SITE)).text).not.toContain(asks)
})

describe('the calendar file', () => {
  const fileIn = (email: Email) => {
    const part = email.attachments.find(({ filename }) => filename === 'event.ics')
    if (!part) throw new Error('No calendar file')
    expect(part).toMatchObject({ mimeType: 'text/calendar', disposition: 'attachment' })
    return Buffer.from(bytesOf(part))
      .toString('utf8')
      .replaceAll(/\r?\n /g, '')
      .split(/\r?\n/)
  }

  test('has start and end as instants', async () => {
    for (const type of ['paid', 'changed'] as const) {
      const lines = fileIn(await received(aMail(type)))
      expect(lines).toEqual(
        expect.arrayContaining([
          'METHOD:PUBLISH',
          'DTSTART:20250922T130000Z',
          'DTEND:20250922T170000Z',
          `SUMMARY:${MAILED_EVENT.name}`,
          String.raw`LOCATION:રિવરફ્રન્ટ ગ્રાઉન્ડ\, અમદાવાદ`,
        ]),
      )
      expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1)
    }
  })

  test('has the id of the file that the app saves, and a higher sequence after a change', async () => {
    const lines = fileIn(await received(aMail('changed')))
    expect(lines).toContain(`UID:${MAILED_EVENT.id}@tickets.example.org`)
    expect(lines).toContain('SEQUENCE:3600')
    expect(lines).toContain('DTSTAMP:20250801T073000Z')
  })

  test.each([
    ['America/New_York', '223000'],
    ['America/St_Johns', '210000'],
    ['UTC', '183000'],
  ])('is right in %s, too', async (timezone, start) => {
    const { attachments } = await composeLetter(aMail('changed'), { ...MAIL_SITE, timezone })
    expect(String(attachments[0]?.content)).toContain(`DTSTART:20250922T${start}Z\r\n`)
  })
})

test('a cancellation spells out the refund: the price less 25 and 15 rupees', async () => {
  const { text, html } = await received(aMail('cancelled'))
  for (const words of [text ?? '', seen(html)])
    expect(words.replaceAll(/[:\s]+/g, ' ')).toContain(
      'Ticket price ₹299 Payment gateway −₹25 Platform −₹15 Your refund ₹259',
    )
  const mail = {
    ...aMail('cancelled'),
    tickets: [{ id: ulidOf(1), pricePaise: 3_000, nothingToRefund: true, refundInFull: false }],
  } as Mail
  expect((await received(mail)).text).toContain('Nothing is left to refund after the deductions.')
})

test.each([
  [0, 'We will write again when it has been made.'],
  [25_900, '₹259 has been sent back the way you paid. We will write again when the rest has been sent.'],
  [51_800, 'The refund has been sent back the way you paid.'],
])(
  'several cancellations are one mail, which says what of %d paise refunded is still to come',
  async (refundedPaise, words) => {
    const mail = aMail('cancelled')
    if (mail.type !== 'cancelled') throw new Error('Another mail')
    const tickets = [1, 2].map((n) => ({
      id: ulidOf(n),
      pricePaise: 29_900,
      nothingToRefund: false,
      refundInFull: false,
    }))
    const { subject, text } = await received({ ...mail, tickets, refundedPaise, isRefunded: refundedPaise === 51_800 })
    expect(subject).toBe(`2 tickets for ${MAILED_EVENT.name} are cancelled`)
    for (const { id } of tickets) expect(text).toContain(id.slice(-8))
    expect(text).toContain('Ticket price: ₹598\nPayment gateway: −₹50\nPlatform: −₹30\nYour refund: ₹518')
    expect(text).toContain(words)
  },
)

test('the mail of an order begins with the first code and the button', async () => {
  const { html } = await composeLetter(aMail('paid'), MAIL_SITE)
  const [first, button, facts, second] = ['<img', 'Open My Tickets', '<dl', '<img'].map((mark, n) =>
    n < 3 ? html.indexOf(mark) : html.lastIndexOf(mark),
  )
  expect([first, button, facts, second]).toEqual(
    [first, button, facts, second].toSorted((a, b) => Number(a) - Number(b)),
  )
})

test('a reminder says when and where before the first code', async () => {
  const { html = '' } = await received(aMail('reminder'))
  expect(html.indexOf(MAILED_EVENT.venue)).toBeGreaterThan(0)
  expect(html.indexOf('<img')).toBeGreaterThan(html.indexOf(MAILED_EVENT.venue))
})

test('what people typed cannot reach the headers or become HTML', async () => {
  const nasty = 'Eve\r\nBcc: all@example.org\u2028<img src=x onerror=alert(1)> "\'&amp; \u202egnp'
  const mail = aMail('paid')
  if (mail.type !== 'paid') throw new Error('Another mail')
  const email = await received({
    ...mail,
    to: { name: nasty, address: 'eve@example.org' },
    event: { ...mail.event, name: nasty, venue: nasty },
    tickets: [{ id: ulidOf(1), number: 1, qrCode: codeOf(1), name: nasty, type: nasty }],
  })
  const plain = 'Eve Bcc: all@example.org <img src=x onerror=alert(1)> "\'&amp; gnp'
  expect(email.to).toEqual([{ name: plain, address: 'eve@example.org' }])
  expect(email.subject).toBe(`Your ticket for ${plain}`)
  expect(email.bcc).toBeUndefined()
  expect(email.headers.map(({ key }) => key)).not.toContain('bcc')
  expect(email.html).not.toMatch(/<img src=x|\u202e|\u2028/)
  expect(seen(email.html)).toContain(plain)
  const changed = await received({ ...aMail('changed'), words: '<b>Hall 2</b>\r\n\r\nSee you' } as Mail)
  expect(changed.html).toContain('&lt;b&gt;Hall 2&lt;/b&gt;<br><br>See you')
  expect(changed.text).toContain('\n> <b>Hall 2</b>\n> \n> See you\n')
})

test('of more than a hundred tickets the first hundred have their code, and the rest are in the app', async () => {
  const mail = aMail('paid')
  if (mail.type !== 'paid') throw new Error('Another mail')
  const tickets = Array.from({ length: 103 }, (_, n) => ({
    id: ulidOf(n),
    number: n + 1,
    qrCode: codeOf(n),
    name: 'Meera',
    type: null,
  }))
  const letter = await composeLetter({ ...mail, tickets }, MAIL_SITE)
  expect(letter.subject).toContain('103 tickets')
  expect(letter.attachments.filter(({ cid }) => cid)).toHaveLength(100)
  expect(letter.html).toContain('3 more tickets are in My Tickets.')
  // Gmail cuts off longer mails.
  expect(Buffer.byteLength(letter.html)).toBeLessThan(102_000)
})
