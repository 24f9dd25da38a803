import type { Language } from '@garba/shared/messages/language'
import type { MailSite } from './mails.ts'

/** A mail's content before it becomes text and HTML. User input is in it as typed. */
export interface Draft {
  language: Language
  subject: string
  title: string
  parts: readonly Part[]
  foot: readonly string[]
}

export type Part =
  | { type: 'text'; text: string }
  | { type: 'quote'; text: string }
  | { type: 'facts'; facts: readonly Fact[] }
  | { type: 'sum'; rows: readonly Fact[]; result: Fact }
  | { type: 'tickets'; tickets: readonly DraftTicket[] }
  | { type: 'button'; label: string; href: string }

export interface Fact {
  label: string
  value: string
  link?: { label: string; href: string }
}

export interface DraftTicket {
  title: string
  place: string | null
  name: string
  cid: string
  alt: string
}

/**
 * The product's colours and fonts. Every background is set together with its text colour, so that mail programs with a
 * dark mode change both or neither. Codes stay black on white.
 */
const NIGHT = '#160b2e'
const IVORY = '#fff7e8'
const INK = '#221733'
const SOFT = '#5f5373'
const LINE = '#e6d9c3'
const KUMKUM = '#c2183c'
const MARIGOLD = '#ffb21a'
const PEACOCK = '#0e7c86'
const FACE = "'Mukta Vaani', Mukta, 'Noto Sans Gujarati', 'Noto Sans Devanagari', system-ui, sans-serif"

/** The pierced lamp: two rings of light around a flame, without a picture. */
const RING = `margin:0 auto;border:3px dotted ${MARIGOLD};border-radius:50%`
const LAMP = `<div aria-hidden="true" style="${RING};width:44px;height:44px;padding:6px;margin-bottom:8px"><div style="${RING};width:26px;height:26px;padding:6px"><div style="width:14px;height:14px;margin:6px;border-radius:50%;background:${MARIGOLD}"></div></div></div>`

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

/**
 * Renders a mail as HTML with inline styles only: no style element, script, table, external picture or tracked link.
 */
export function renderMailHtml({ language, subject, title, parts, foot }: Draft, site: MailSite): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<meta name="supported-color-schemes" content="light">
<title>${escaped(subject)}</title>
</head>
<body style="margin:0;padding:0;background:${IVORY};color:${INK}">
<div lang="${language}" style="background:${IVORY};color:${INK};font:400 16px/1.5 ${FACE};overflow-wrap:anywhere">
<div style="background:${NIGHT};color:${IVORY};padding:20px 16px;border-bottom:4px dotted ${MARIGOLD};text-align:center;font-size:18px;font-weight:700">${LAMP}${escaped(site.title)}</div>
<div style="max-width:560px;margin:0 auto;padding:24px 16px">
<h1 style="margin:0 0 16px;font-size:26px;line-height:1.25;text-wrap:balance;color:${INK}">${escaped(title)}</h1>
${parts.map(renderHtmlPart).join('\n')}
<div style="margin-top:32px;padding-top:16px;border-top:1px solid ${LINE};color:${SOFT};font-size:14px">
${foot.map((line) => `<p style="margin:0 0 4px">${escaped(line)}</p>`).join('\n')}
</div>
</div>
</div>
</body>
</html>
`
}

const LINE_BREAK = /\r\n|\r|\n/g

function renderHtmlPart(part: Part): string {
  switch (part.type) {
    case 'text':
      return `<p style="margin:0 0 16px">${escaped(part.text)}</p>`
    case 'quote':
      return `<blockquote style="margin:0 0 16px;padding:12px 16px;border-left:4px solid ${MARIGOLD};background:#ffffff;color:${INK}">${escaped(part.text).replaceAll(LINE_BREAK, '<br>')}</blockquote>`
    case 'facts':
      return `<dl style="${PANEL};padding-bottom:8px">\n${part.facts.map(renderFact).join('\n')}\n</dl>`
    case 'sum':
      return `<div style="${PANEL}">\n${part.rows.map(renderSumRow).join('\n')}\n${renderSumResult(part.result)}\n</div>`
    case 'tickets':
      return part.tickets.map(renderTicket).join('\n')
    case 'button':
      return `<p style="margin:24px 0;text-align:center"><a href="${escaped(part.href)}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${KUMKUM};color:#ffffff;font-weight:700;text-decoration:none">${escaped(part.label)}</a></p>`
  }
}

const PANEL = `margin:0 0 16px;padding:16px;border:1px solid ${LINE};border-radius:12px;background:#ffffff;color:${INK}`

const renderFact = ({ label, value, link }: Fact): string =>
  `<div style="display:inline-block;vertical-align:top;min-width:44%;padding-right:16px"><dt style="margin:0;color:${SOFT};font-size:14px">${escaped(label)}</dt><dd style="margin:0 0 8px;font-weight:700">${escaped(value)}${link === undefined ? '' : `<br><a href="${escaped(link.href)}" style="color:${PEACOCK}">${escaped(link.label)}</a>`}</dd></div>`

const AMOUNT = 'float:right;padding-left:16px;font-variant-numeric:tabular-nums;white-space:nowrap'

const renderSumRow = ({ label, value }: Fact): string =>
  `<p style="margin:0 0 8px">${escaped(label)} <span style="${AMOUNT}">${escaped(value)}</span></p>`

const renderSumResult = ({ label, value }: Fact): string =>
  `<p style="margin:8px 0 0;padding-top:8px;border-top:1px solid ${LINE};font-weight:700">${escaped(label)} <span style="${AMOUNT}">${escaped(value)}</span></p>`

/** The picture has its own quiet zone, and its text is readable where pictures are blocked. */
const renderTicket = ({ title, place, name, cid, alt }: DraftTicket): string =>
  `<div style="${PANEL};text-align:center">
${place === null ? '' : `<p style="margin:0;color:${SOFT}">${escaped(place)}</p>\n`}<p style="margin:0;font-size:18px;font-weight:700">${escaped(name)}</p>
<p style="margin:8px -16px 16px;padding:0 16px 8px;border-bottom:4px dotted ${LINE};color:${SOFT};font-variant-numeric:tabular-nums">${escaped(title)}</p>
<img src="cid:${escaped(cid)}" alt="${escaped(alt)}" width="240" height="240" style="display:block;width:240px;max-width:100%;height:auto;margin:0 auto;background:#ffffff;color:${INK};font-size:14px">
</div>`

export function renderMailText({ title, parts, foot }: Draft, site: MailSite): string {
  return `${[title, ...parts.map(renderTextPart), `-- \n${[site.title, ...foot].join('\n')}`].join('\n\n')}\n`
}

function renderTextPart(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'quote':
      return `> ${part.text.replaceAll(LINE_BREAK, '\n> ')}`
    case 'facts':
      return part.facts
        .map(({ label, value, link }) => `${label}: ${value}${link === undefined ? '' : `\n${link.href}`}`)
        .join('\n')
    case 'sum':
      return [...part.rows, part.result].map(({ label, value }) => `${label}: ${value}`).join('\n')
    case 'tickets':
      return part.tickets
        .map(({ title: ticket, place, name }) => `${place === null ? '' : `${place}, `}${ticket}: ${name}`)
        .join('\n')
    case 'button':
      return `${part.label}: ${part.href}`
  }
}
