import type { ReturnReason } from '@garba/shared/contracts/names'
import type { Language } from '@garba/shared/messages/language'
import type { SendMailOptions } from 'nodemailer'

/**
 * The content of a mail. The flows read it from the store just before sending, so that changed names and events are up
 * to date.
 */
export type Mail = MailBase &
  (
    | { type: 'paid' | 'reminder'; event: MailedEvent; totalPaise: number; tickets: readonly MailedTicket[] }
    /** `refundedPaise` has already been paid back; `isRefunded` if nothing more will be, whatever was due. */
    | {
        type: 'cancelled'
        event: MailedEvent
        tickets: readonly { id: string; pricePaise: number; nothingToRefund: boolean; refundInFull: boolean }[]
        refundedPaise: number
        isRefunded: boolean
      }
    | { type: 'offer'; event: MailedEvent; quantity: number; until: Date }
    | { type: 'refunded' | 'byHand'; ticketId: string | null; paise: number }
    | { type: 'returned'; why: ReturnReason; paise: number }
    | { type: 'calledOff'; event: MailedEvent; words: string }
    | { type: 'changed'; event: MailedEvent; words: string }
  )
export type MailType = Mail['type']

export interface MailBase {
  language: Language
  to: { name: string; address: string }
  orderCode: string
  /** A link that opens the order's tickets without an account; absent if none can be made any more. */
  wallet?: string
}

export interface MailedEvent {
  id: string
  name: string
  venue: string
  /** 'YYYY-MM-DD' and 'HH:MM' in the event's time zone. */
  date: string
  startTime: string
  endTime: string
  endsNextDay?: boolean
  createdAt: Date
  updatedAt: Date
  freeCancelUntil: Date | null
}

export interface MailedTicket {
  id: string
  number: number
  qrCode: string
  name: string
  /** The name of its type in the mail's language; null where it is not shown. */
  type: string | null
}

export interface MailSite {
  title: string
  url: string
  supportEmail: string
  timezone: string
}

export interface Letter {
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  attachments: readonly LetterPart[]
}

export interface LetterPart {
  name: string
  type: string
  content: Buffer
  cid?: string
}

/**
 * The outcome of a mail. `why` is the server's status code or an error's own, such as "550 5.1.1" or "ETIMEDOUT": never
 * its text, which often holds the address.
 */
export type MailOutcome =
  | { outcome: 'accepted' }
  | { outcome: 'bounced'; why: string }
  /** `isPerhapsTaken` if the whole mail was sent and its answer did not come. */
  | { outcome: 'retry'; why: string; isPerhapsTaken?: boolean }

/** Old servers name no class (RFC 3463), so their refusal may be about the address or about this server. */
export const isWithoutClass = (why: string): boolean => /^\d{3}$/.test(why)

export interface Dispatch {
  /**
   * The same mail always has the same key, from which its Message-ID is made. It consists of letters, digits, `:`, `-`
   * and `_`.
   */
  key: string
  at: Date
  signal?: AbortSignal
}

export interface Mailer {
  /** Never throws for a mail server's errors. */
  send: (letter: Letter, dispatch: Dispatch) => Promise<MailOutcome>
}

export function buildMailOptions(
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
    messageId: buildMessageId(key, from.address),
    date: at,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * A mail that is sent twice keeps its Message-ID, so that mail servers and programs can recognise it (RFC 5322 3.6.4).
 */
function buildMessageId(key: string, address: string): string {
  if (!/^[\w:-]+$/.test(key)) throw new RangeError(`Not a key for a mail: ${key}`)
  return `<${key.replaceAll(':', '.')}@${getEmailDomain(address)}>`
}

export const getEmailDomain = (address: string): string => address.slice(address.lastIndexOf('@') + 1)
