import { setImmediate } from 'node:timers/promises'
import { plainName } from '@garba/shared/contracts/people/personName'
import { shortenTicketId } from '@garba/shared/messages/common'
import { DOCTOR } from '@garba/shared/messages/doctor'
import { endTimeText, momentText, timeText } from '@garba/shared/messages/formats'
import { type Language, longDay } from '@garba/shared/messages/language'
import { refundOfCancelled } from '@garba/shared/rules/cancellation'
import { getLastDay, toInstant } from '@garba/shared/rules/event/calendar'
import { type CalendarEntry, calendarFile } from '@garba/shared/rules/event/calendarFile'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { correction, generate } from 'lean-qr'
import { toPngBuffer } from 'lean-qr/extras/node_export'
import { type Draft, type Fact, type Part, renderMailHtml, renderMailText } from './draft.ts'
import type { Letter, LetterPart, Mail, MailedEvent, MailedTicket, MailSite } from './mails.ts'
import { en } from './texts/en.ts'
import { gu } from './texts/gu.ts'
import { hi } from './texts/hi.ts'

const WORDS = { en, gu, hi } as const
type Words = (typeof WORDS)[Language]
type Of<Type extends Mail['type']> = Extract<Mail, { type: Type }>

/** Pictures of more codes would make a mail so long that mail programs cut it off. */
const CODES_MAX = 100

export async function composeLetter(mail: Mail, site: MailSite): Promise<Letter> {
  const to = { name: plainName(mail.to.name), address: mail.to.address }
  const codes = mail.type === 'paid' || mail.type === 'reminder' ? await buildCodeAttachments(mail.tickets) : []
  return {
    ...buildLetter(buildMailDraft(mail, site), site, to),
    attachments: [...codes, ...buildCalendarAttachment(mail, site)],
  }
}

const buildLetter = (draft: Draft, site: MailSite, to: Letter['to']): Letter => ({
  to,
  subject: draft.subject,
  text: renderMailText(draft, site),
  html: renderMailHtml(draft, site),
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
  return buildLetter(draft, site, { name: '', address: email })
}

function buildMailDraft(mail: Mail, site: MailSite): Draft {
  const words = WORDS[mail.language]
  const { subject, title, first, parts } = buildMailContent(mail, words, site)
  const href = mail.wallet ?? `${site.url}/dashboard/guest`
  const order = [`${words.order} ${mail.orderCode}`]
  if ('ticketId' in mail && mail.ticketId !== null) order.push(words.paid.ticket(shortenTicketId(mail.ticketId)))
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
    foot: [order.join(' · '), words.questions(site.supportEmail), words.why(site.title)],
  }
}

interface Content extends Pick<Draft, 'subject' | 'title' | 'parts'> {
  /** Shown above the button, which then comes before the other parts. */
  first?: readonly Part[]
}

function buildMailContent(mail: Mail, words: Words, { timezone }: MailSite): Content {
  switch (mail.type) {
    case 'paid':
    case 'reminder':
      return paid(mail, words)
    case 'offer': {
      const at = momentText(mail.until.toISOString(), { language: mail.language, timeZone: timezone })
      const facts: Part = { type: 'facts', facts: eventFacts(mail.event, words, mail.language) }
      const first = [text(words.offer.text(mail.quantity, at))]
      return {
        subject: words.offer.subject(mail.event.name),
        title: words.offer.title,
        first,
        parts: [facts],
      }
    }
    case 'cancelled':
      return cancelled(mail, words)
    case 'refunded':
    case 'byHand': {
      const { subject, title, text: sentence } = words[mail.type]
      const next = mail.type === 'refunded' ? words.refundTime : words.byHand.nothing
      return { subject: subject(money(mail.paise)), title, parts: [text(sentence(money(mail.paise))), text(next)] }
    }
    case 'returned': {
      const { subject, full, [mail.why]: reason } = words.returned
      const rupees = money(mail.paise)
      const parts = [text(reason.text(rupees)), text(full(rupees)), text(words.refundTime)]
      return { subject: subject(rupees), title: reason.title, parts }
    }
    case 'calledOff':
      return calledOff(mail, words)
    case 'changed':
      return changed(mail, words, timezone)
  }
}

/** A reminder is the mail with the tickets once more, without the money, and says first when and where. */
function paid({ type, event, totalPaise, tickets, language, to }: Of<'paid' | 'reminder'>, words: Words): Content {
  const { paid, reminder } = words
  const isReminder = type === 'reminder'
  const n = tickets.length
  const last = Math.max(n, ...tickets.map(({ number }) => number))
  const hasUnnamed = tickets.filter(({ name }) => name === to.name).length > 1
  const codes = tickets.slice(0, CODES_MAX).map(({ id, name, number, type }) => ({
    title: paid.ticket(shortenTicketId(id)),
    place: [type && plainName(type), n > 1 && paid.of(number, last)].filter(Boolean).join(' · ') || null,
    name: plainName(name),
    cid: buildContentId(id),
    alt: paid.code(shortenTicketId(id)),
  }))
  const facts: Part = { type: 'facts', facts: eventFacts(event, words, language) }
  return {
    subject: isReminder ? reminder.subject(event.name) : paid.subject(n, event.name),
    title: isReminder ? reminder.title : paid.title(n),
    first: [
      text(isReminder ? reminder.text(n) : totalPaise > 0 ? paid.text(money(totalPaise)) : paid.free(n)),
      ...(isReminder ? [facts] : []),
      { type: 'tickets', tickets: codes.slice(0, 1) },
    ],
    parts: [
      ...(isReminder ? [] : [facts]),
      text(paid.gate),
      ...(hasUnnamed ? [text(paid.names)] : []),
      ...(codes.length > 1 ? [{ type: 'tickets' as const, tickets: codes.slice(1) }] : []),
      ...(n > CODES_MAX ? [text(paid.more(n - CODES_MAX))] : []),
      text(paid.noPictures),
      text(words.calendar),
    ],
  }
}

function cancelled({ event, tickets, refundedPaise, isRefunded }: Of<'cancelled'>, words: Words): Content {
  const { cancelled } = words
  const n = tickets.length
  const ids = tickets.map(({ id }) => shortenTicketId(id)).join(', ')
  const parts = tickets.map((ticket) => ({ pricePaise: ticket.pricePaise, ...refundOfCancelled(ticket) }))
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
        ...(refundPaise === pricePaise
          ? []
          : [
              { label: cancelled.gateway, value: money(-sumOf('gatewayPaise')) },
              { label: cancelled.platform, value: money(-sumOf('platformPaise')) },
            ]),
      ],
      result: { label: cancelled.refund, value: money(refundPaise) },
    },
    ...(refundPaise > 0 ? [text(refundSentence()), text(words.refundTime)] : [text(cancelled.nothing)]),
  ]
  return {
    subject: cancelled.subject(n, ids, event.name),
    title: cancelled.title(n),
    parts: [text(cancelled.text(n, ids)), ...(pricePaise > 0 ? sum : [])],
  }
}

function calledOff({ event, words: typed, language }: Of<'calledOff'>, words: Words): Content {
  const { calledOff, changed } = words
  const quote: Part[] = typed.trim() ? [text(changed.text), { type: 'quote', text: typed.trim() }] : []
  return {
    subject: calledOff.subject(event.name),
    title: calledOff.title,
    parts: [
      text(calledOff.text(event.name, longDay(event.date, language))),
      ...quote,
      text(calledOff.money),
      text(words.refundTime),
    ],
  }
}

function changed({ event, language, words: typed }: Of<'changed'>, words: Words, timeZone: string): Content {
  const freeUntil = event.freeCancelUntil?.toISOString()
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
      ...(freeUntil ? [text(changed.free(momentText(freeUntil, { language, timeZone })))] : []),
      text(words.calendar),
    ],
  }
}

const text = (sentence: string): Part => ({ type: 'text', text: sentence })
const money = (paise: number): string => formatRupees(toRupees(paise))

const MAP = 'https://www.google.com/maps/search/?api=1&query='

const eventFacts = (event: MailedEvent, { facts }: Words, language: Language): Fact[] => [
  { label: facts.event, value: plainName(event.name) },
  { label: facts.date, value: longDay(event.date, language) },
  { label: facts.time, value: facts.hours(timeText(event.startTime, language), endTimeText(event, language)) },
  {
    label: facts.venue,
    value: plainName(event.venue),
    link: { label: facts.map, href: `${MAP}${encodeURIComponent(event.venue)}` },
  },
]

const buildContentId = (ticketId: string): string => `${ticketId}@tickets`

async function buildCodeAttachments(tickets: readonly MailedTicket[]): Promise<LetterPart[]> {
  const codes: LetterPart[] = []
  for (const { id, qrCode } of tickets.slice(0, CODES_MAX)) {
    codes.push({
      name: `ticket-${shortenTicketId(id)}.png`,
      type: 'image/png',
      content: qrPicture(qrCode),
      cid: buildContentId(id),
    })
    // A code takes a millisecond or two, and the gate must not wait for a hundred of them.
    await setImmediate()
  }
  return codes
}

/** The entry has the same id as in the file that the guest's page saves, so a calendar keeps only one. */
function buildCalendarEntry(event: MailedEvent, { url: site, timezone }: MailSite, note: string): CalendarEntry {
  const url = `${site}/dashboard/guest`
  return {
    uid: `${event.id}@${new URL(site).hostname}`,
    title: plainName(event.name),
    place: plainName(event.venue),
    text: `${note} ${url}`,
    url,
    startsAt: toInstant(event.date, event.startTime, timezone),
    endsAt: toInstant(getLastDay(event), event.endTime, timezone),
    createdAt: event.createdAt,
    changedAt: event.updatedAt,
  }
}

const buildCalendarAttachment = (mail: Mail, site: MailSite): LetterPart[] =>
  mail.type === 'paid' || mail.type === 'changed' || mail.type === 'reminder'
    ? [
        {
          name: 'event.ics',
          type: 'text/calendar; charset=utf-8; method=PUBLISH',
          content: Buffer.from(calendarFile(buildCalendarEntry(mail.event, site, WORDS[mail.language].button))),
        },
      ]
    : []

/** Pixels per module, and modules of the quiet zone around the code. */
const SCALE = 8
const QUIET = 4

/** A QR code as a PNG of one bit per pixel, black on white: about a kilobyte, and sharp at any size. */
function qrPicture(text: string): Buffer {
  const code = generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  return Buffer.from(toPngBuffer(code, { off: [255, 255, 255], pad: QUIET, scale: SCALE }))
}

interface AlertedTo {
  address: string
  alarms: readonly { name: string; detail: string; cure?: string | undefined }[]
}

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
  return buildLetter(draft, site, { name: '', address })
}
