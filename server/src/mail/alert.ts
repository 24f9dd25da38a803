import { DOCTOR } from '@garba/shared/messages/doctor'
import type { Draft } from './draft.ts'
import { htmlOf } from './html.ts'
import type { Letter, MailSite } from './mails.ts'
import { textOf } from './text.ts'

export interface AlertedTo {
  address: string
  /** The current problems, each with a remedy; empty when all are over. */
  alarms: readonly { name: string; detail: string; cure?: string | undefined }[]
}

/** Writes the mail to ALERT_EMAIL about new problems, or that there are none any more. */
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
  return {
    to: { name: '', address },
    subject: draft.subject,
    text: textOf(draft, site),
    html: htmlOf(draft, site),
    attachments: [],
  }
}
