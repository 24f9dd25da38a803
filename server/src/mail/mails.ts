import type { Language } from '@garba/shared/messages/language'

/**
 * The content of a mail. The flows read it from the store just before it is sent, so a changed name or a moved event is
 * right.
 */
export type Mail = MailBase &
  (
    | { type: 'paid'; event: MailedEvent; totalPaise: number; tickets: readonly MailedTicket[] }
    | { type: 'cancelled'; event: MailedEvent; ticketId: string; pricePaise: number }
    | { type: 'refunded' | 'byHand'; ticketId: string | null; paise: number }
    | { type: 'returned'; why: 'late' | 'duplicate' | 'event'; paise: number }
    /** `words` are the admin's own. */
    | { type: 'changed'; event: MailedEvent; words: string }
  )
export type MailType = Mail['type']

export interface MailBase {
  language: Language
  to: { name: string; address: string }
  orderCode: string
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
}

export interface MailedTicket {
  id: string
  qrCode: string
  /** The name of its user: the holder, otherwise the buyer. */
  name: string
}

/** These facts are the same in every mail of a site. */
export interface MailSite {
  title: string
  /** Without a trailing slash. */
  url: string
  supportEmail: string
  timezone: string
}

/** A composed mail, ready to send. */
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
  /** Set for a picture that the HTML shows. */
  cid?: string
}
