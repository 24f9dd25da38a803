import type { Draft, Part } from './draft.ts'
import type { MailSite } from './mails.ts'

/** A mail as plain text, with everything but the codes themselves. */
export function textOf({ title, parts, foot }: Draft, site: MailSite): string {
  return `${[title, ...parts.map(partOf), `-- \n${[site.title, ...foot].join('\n')}`].join('\n\n')}\n`
}

function partOf(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'quote':
      return part.text.replaceAll(/^/gm, '> ')
    case 'facts':
      return part.facts.map(({ label, value }) => `${label}: ${value}`).join('\n')
    case 'sum':
      return [...part.rows, part.result].map(({ label, value }) => `${label}: ${value}`).join('\n')
    case 'tickets':
      return part.tickets.map(({ title: ticket, name }) => `${ticket}: ${name}`).join('\n')
    case 'button':
      return `${part.label}: ${part.href}`
  }
}
