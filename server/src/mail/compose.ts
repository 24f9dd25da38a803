import { setImmediate } from 'node:timers/promises'
import { crc32, deflateSync } from 'node:zlib'
import { plainName } from '@garba/shared/contracts/personName'
import { last8 } from '@garba/shared/messages/common'
import { DOCTOR } from '@garba/shared/messages/doctor'
import { endTimeText, timeText } from '@garba/shared/messages/formats'
import { type Language, longDay } from '@garba/shared/messages/language'
import { instantOf, lastDayOf } from '@garba/shared/rules/calendar'
import { type CalendarEntry, calendarFile } from '@garba/shared/rules/calendarFile'
import { refundOf } from '@garba/shared/rules/cancellation'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { correction, generate } from 'lean-qr'
import { type Draft, type Fact, htmlOf, type Part, textOf } from './draft.ts'
import type { Letter, LetterPart, Mail, MailedEvent, MailedTicket, MailSite } from './mails.ts'
import { en } from './texts/en.ts'
import { gu } from './texts/gu.ts'
import { hi } from './texts/hi.ts'

const WORDS = { en, gu, hi } as const
type Words = (typeof WORDS)[Language]
type Of<Type extends Mail['type']> = Extract<Mail, { type: Type }>

/** Pictures of more codes would make a mail so long that mail programs cut it off. */
const CODES_MAX = 100

/** Composes a mail in the reader's language. */
export async function compose(mail: Mail, site: MailSite): Promise<Letter> {
  const to = { name: plainName(mail.to.name), address: mail.to.address }
  const codes = mail.type === 'paid' ? await codesOf(mail.tickets) : []
  return { ...letterOf(draftOf(mail, site), site, to), attachments: [...codes, ...calendarOf(mail, site)] }
}

const letterOf = (draft: Draft, site: MailSite, to: Letter['to']): Letter => ({
  to,
  subject: draft.subject,
  text: textOf(draft, site),
  html: htmlOf(draft, site),
  attachments: [],
})

/** On a live site the identity provider writes this mail; a demo writes it itself. */
export function composeSignIn({ email, link }: { email: string; link: string }, site: MailSite): Letter {
  const title = `Sign in to ${plainName(site.title)}`
  const draft: Draft = {
    language: 'en',
    subject: title,
    title,
    parts: [text('This link signs you in. It works once.'), { type: 'button', label: 'Sign in', href: link }],
    foot: ['If you did not ask for it, ignore this email.'],
  }
  return letterOf(draft, site, { name: '', address: email })
}

function draftOf(mail: Mail, site: MailSite): Draft {
  const words = WORDS[mail.language]
  const { subject, title, first, parts } = contentOf(mail, words)
  const href = mail.wallet ?? `${site.url}/dashboard/guest`
  const button: Part = { type: 'button', label: words.button, href }
  return {
    language: mail.language,
    subject: plainName(subject),
    title,
    parts: [
      { type: 'text', text: words.hello(plainName(mail.to.name)) },
      ...(first === undefined ? [] : [...first, button]),
      ...parts,
      ...(first === undefined ? [button] : []),
    ],
    foot: [words.questions(site.supportEmail), words.why(site.title)],
  }
}

interface Content extends Pick<Draft, 'subject' | 'title' | 'parts'> {
  /** Shown above the button, which then comes before the other parts. */
  first?: readonly Part[]
}

function contentOf(mail: Mail, words: Words): Content {
  switch (mail.type) {
    case 'paid':
      return paid(mail, words)
    case 'cancelled':
      return cancelled(mail, words)
    case 'refunded':
    case 'byHand': {
      const { subject, title, text: sentence } = words[mail.type]
      const next = mail.type === 'refunded' ? words.refundTime : words.byHand.nothing
      const facts = orderFacts(mail, words, mail.ticketId === null ? null : last8(mail.ticketId))
      const parts = [text(sentence(money(mail.paise))), text(next), facts]
      return { subject: subject(money(mail.paise)), title, parts }
    }
    case 'returned': {
      const { subject, full, [mail.why]: reason } = words.returned
      const rupees = money(mail.paise)
      const parts = [text(reason.text(rupees)), text(full(rupees)), text(words.refundTime)]
      return { subject: subject(rupees), title: reason.title, parts: [...parts, orderFacts(mail, words)] }
    }
    case 'changed':
      return changed(mail, words)
  }
}

function paid({ event, totalPaise, tickets, orderCode, language }: Of<'paid'>, words: Words): Content {
  const { paid } = words
  const n = tickets.length
  const codes = tickets.slice(0, CODES_MAX).map(({ id, name }) => ({
    title: paid.ticket(last8(id)),
    name: plainName(name),
    cid: cidOf(id),
    alt: paid.code(last8(id)),
  }))
  const order = [{ label: words.facts.order, value: orderCode }]
  const amount = totalPaise > 0 ? [{ label: words.facts.paid, value: money(totalPaise) }] : []
  return {
    subject: paid.subject(n, event.name),
    title: paid.title(n),
    first: [
      text(totalPaise > 0 ? paid.text(money(totalPaise)) : paid.free(n)),
      { type: 'tickets', tickets: codes.slice(0, 1) },
    ],
    parts: [
      { type: 'facts', facts: [...eventFacts(event, words, language), ...order, ...amount] },
      text(paid.gate),
      ...(codes.length > 1 ? [{ type: 'tickets' as const, tickets: codes.slice(1) }] : []),
      ...(n > CODES_MAX ? [text(paid.more(n - CODES_MAX))] : []),
      text(paid.noPictures),
      text(words.calendar),
    ],
  }
}

function cancelled({ event, tickets, refundedPaise, isRefunded, ...mail }: Of<'cancelled'>, words: Words): Content {
  const { cancelled } = words
  const n = tickets.length
  const ids = tickets.map(({ id }) => last8(id)).join(', ')
  const parts = tickets.map(({ pricePaise }) => ({ pricePaise, ...refundOf(pricePaise) }))
  const sumOf = (part: keyof (typeof parts)[number]) => parts.reduce((sum, one) => sum + one[part], 0)
  const [pricePaise, refundPaise] = [sumOf('pricePaise'), sumOf('refundPaise')]
  const refundSentence = () => {
    if (isRefunded) return cancelled.made
    return refundedPaise > 0 ? cancelled.partly(money(refundedPaise)) : cancelled.asked
  }
  const sum: Part[] = [
    {
      type: 'sum',
      rows: [
        { label: cancelled.price, value: money(pricePaise) },
        { label: cancelled.gateway, value: money(-sumOf('gatewayPaise')) },
        { label: cancelled.platform, value: money(-sumOf('platformPaise')) },
      ],
      result: { label: cancelled.refund, value: money(refundPaise) },
    },
    ...(refundPaise > 0 ? [text(refundSentence()), text(words.refundTime)] : [text(cancelled.nothing)]),
  ]
  return {
    subject: cancelled.subject(n, ids, event.name),
    title: cancelled.title(n),
    parts: [text(cancelled.text(n, ids)), ...(pricePaise > 0 ? sum : []), orderFacts(mail, words, ids)],
  }
}

function changed({ event, language, words: typed, ...mail }: Of<'changed'>, words: Words): Content {
  const { changed } = words
  const quote: Part[] = typed.trim() ? [text(changed.text), { type: 'quote', text: typed.trim() }] : []
  return {
    subject: changed.subject(event.name),
    title: changed.title,
    parts: [
      ...quote,
      text(changed.now),
      { type: 'facts', facts: eventFacts(event, words, language) },
      text(changed.valid),
      text(words.calendar),
      orderFacts(mail, words),
    ],
  }
}

const text = (sentence: string): Part => ({ type: 'text', text: sentence })
const money = (paise: number): string => formatRupees(toRupees(paise))

const eventFacts = (event: MailedEvent, { facts }: Words, language: Language): Fact[] => [
  { label: facts.event, value: plainName(event.name) },
  { label: facts.date, value: longDay(event.date, language) },
  { label: facts.time, value: facts.hours(timeText(event.startTime, language), endTimeText(event, language)) },
  { label: facts.venue, value: plainName(event.venue) },
]

const orderFacts = ({ orderCode }: Pick<Mail, 'orderCode'>, { facts }: Words, ticket: string | null = null): Part => ({
  type: 'facts',
  facts: [
    { label: facts.order, value: orderCode },
    ...(ticket === null ? [] : [{ label: facts.ticket, value: ticket }]),
  ],
})

const cidOf = (ticketId: string): string => `${ticketId}@tickets`

async function codesOf(tickets: readonly MailedTicket[]): Promise<LetterPart[]> {
  const codes: LetterPart[] = []
  for (const { id, qrCode } of tickets.slice(0, CODES_MAX)) {
    codes.push({ name: `ticket-${last8(id)}.png`, type: 'image/png', content: qrPicture(qrCode), cid: cidOf(id) })
    // A code takes a millisecond or two, and the gate must not wait for a hundred of them.
    await setImmediate()
  }
  return codes
}

/** The entry has the same id as the one that the guest's page saves, so a calendar keeps only one. */
function entryOf(event: MailedEvent, { url: site, timezone }: MailSite, note: string): CalendarEntry {
  const url = `${site}/dashboard/guest`
  return {
    uid: `${event.id}@${new URL(site).hostname}`,
    title: plainName(event.name),
    place: plainName(event.venue),
    text: `${note} ${url}`,
    url,
    startsAt: instantOf(event.date, event.startTime, timezone),
    endsAt: instantOf(lastDayOf(event), event.endTime, timezone),
    createdAt: event.createdAt,
    changedAt: event.updatedAt,
  }
}

const calendarOf = (mail: Mail, site: MailSite): LetterPart[] =>
  mail.type === 'paid' || mail.type === 'changed'
    ? [
        {
          name: 'event.ics',
          type: 'text/calendar; charset=utf-8; method=PUBLISH',
          content: Buffer.from(calendarFile(entryOf(mail.event, site, WORDS[mail.language].button))),
        },
      ]
    : []

/** Pixels per module, and modules of the quiet zone around the code. */
const SCALE = 8
const QUIET = 4

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** A QR code as a PNG of one bit per pixel, black on white: about a kilobyte, and sharp at any size. */
function qrPicture(text: string): Buffer {
  const code = generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  const side = (code.size + 2 * QUIET) * SCALE
  const stride = 1 + Math.ceil(side / 8)
  const rows = Buffer.alloc(stride * side)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      if (!code.get(Math.floor(x / SCALE) - QUIET, Math.floor(y / SCALE) - QUIET)) {
        const at = y * stride + 1 + (x >> 3)
        rows.writeUInt8(rows.readUInt8(at) | (0x80 >> (x & 7)), at)
      }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side)
  header.writeUInt32BE(side, 4)
  // One bit of grey, deflated, no filter, not interlaced.
  header.writeUInt8(1, 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

interface AlertedTo {
  address: string
  /** The current problems, each with a remedy; empty when all are over. */
  alarms: readonly { name: string; detail: string; cure?: string | undefined }[]
}

/** Writes the mail to ALERT_EMAIL about new problems, or that all problems are over. */
export function alertLetter({ address, alarms }: AlertedTo, site: MailSite): Letter {
  const words = DOCTOR.alert
  const [first] = alarms
  const title = first === undefined ? words.over : words.title(alarms.length, first.name)
  const draft: Draft = {
    language: 'en',
    subject: `${site.title}: ${title}`,
    title,
    parts: alarms.flatMap(({ name, detail, cure }) => [
      { type: 'text' as const, text: `${name}: ${detail}` },
      ...(cure === undefined ? [] : [{ type: 'text' as const, text: cure }]),
    ]),
    foot: [words.foot(site.url)],
  }
  return letterOf(draft, site, { name: '', address })
}
