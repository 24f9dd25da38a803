import type { SendMailOptions } from 'nodemailer'
import type { Letter } from './mails.ts'

/**
 * The outcome of a mail. `why` is the server's status code or an error's own, such as "550 5.1.1" or "ETIMEDOUT": never
 * its text, which often holds the address.
 */
export type Sending = { outcome: 'accepted' } | { outcome: 'retry' | 'bounced'; why: string }

export interface Dispatch {
  /**
   * The same mail always has the same key, from which its Message-ID is made. It consists of letters, digits, `:`, `-`
   * and `_`.
   */
  key: string
  at: Date
  /** Aborts the attempt; the mail is to be sent again later. */
  signal?: AbortSignal
}

export interface Mailer {
  /** Never throws for a mail server's errors. */
  send: (letter: Letter, dispatch: Dispatch) => Promise<Sending>
}

export function optionsOf(
  letter: Letter,
  { key, at }: Dispatch,
  from: { name: string; address: string },
): SendMailOptions {
  return {
    from,
    to: letter.to,
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    attachments: letter.attachments.map(({ name, type, content, cid }) => ({
      filename: name,
      contentType: type,
      content,
      ...(cid === undefined ? { contentDisposition: 'attachment' } : { cid, contentDisposition: 'inline' }),
    })),
    messageId: messageIdOf(key, from.address),
    date: at,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** A mail sent twice has one Message-ID, so that mail servers and programs can recognise it (RFC 5322 3.6.4). */
function messageIdOf(key: string, address: string): string {
  if (!/^[\w:-]+$/.test(key)) throw new RangeError(`Not a key for a mail: ${key}`)
  return `<${key.replaceAll(':', '.')}@${domainOf(address)}>`
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)
