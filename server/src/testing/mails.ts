import type { Language } from '@garba/shared/messages/language'
import { ulidOf } from '@garba/shared/testing/ids'
import type { Mail, MailedEvent, MailSite, MailType } from '../mail/mails.ts'

export const MAIL_SITE: MailSite = {
  title: 'Garba Rass 2025',
  url: 'https://tickets.example.org',
  supportEmail: 'help@example.org',
  timezone: 'Asia/Kolkata',
}

/** 22 September 2025, 18:30 to 22:30 in Kolkata; changed an hour after it was made. */
export const MAILED_EVENT: MailedEvent = {
  id: ulidOf(500),
  name: 'નવરાત્રિ રાસ-ગરબા 2025',
  venue: 'રિવરફ્રન્ટ ગ્રાઉન્ડ, અમદાવાદ',
  date: '2025-09-22',
  startTime: '18:30',
  endTime: '22:30',
  createdAt: new Date('2025-08-01T06:30:00Z'),
  updatedAt: new Date('2025-08-01T07:30:00Z'),
  freeCancelUntil: null,
}

/** 122 characters, as codes of tickets have. */
export const codeOf = (n: number): string => `GR1:${String(n).padStart(118, '0')}`

/** One mail of every type, to a Gujarati name. */
export function aMail(type: MailType, language: Language = 'en'): Mail {
  const base = { language, to: { name: 'મીરાં પટેલ', address: 'meera@example.org' }, orderCode: '7K3F9Q2M' }
  const event = MAILED_EVENT
  const ticketId = ulidOf(1)
  switch (type) {
    case 'paid':
    case 'reminder': {
      const tickets = [
        { id: ticketId, number: 1, qrCode: codeOf(1), name: 'મીરાં પટેલ', type: null },
        { id: ulidOf(2), number: 2, qrCode: codeOf(2), name: 'જિજ્ઞાસાબેન હર્ષદભાઈ બ્રહ્મભટ્ટ', type: null },
      ]
      return { ...base, type, event, totalPaise: 59_800, tickets }
    }
    case 'cancelled':
      return {
        ...base,
        type,
        event,
        tickets: [{ id: ticketId, pricePaise: 29_900, nothingToRefund: false, refundInFull: false }],
        refundedPaise: 0,
        isRefunded: false,
      }
    case 'offer':
      return { ...base, type, event, quantity: 2, until: new Date('2025-09-20T07:00:00Z') }
    case 'refunded':
    case 'byHand':
      return { ...base, type, ticketId, paise: 25_900 }
    case 'returned':
      return { ...base, type, why: 'late', paise: 59_800 }
    case 'calledOff':
      return { ...base, type, event, words: 'The ground is under water.' }
    case 'changed':
      return { ...base, type, event, words: 'The ground is wet.\nWe meet in the hall.' }
  }
}

export const MAIL_TYPES = [
  'paid',
  'cancelled',
  'refunded',
  'byHand',
  'returned',
  'changed',
  'reminder',
  'offer',
] as const satisfies readonly MailType[]
