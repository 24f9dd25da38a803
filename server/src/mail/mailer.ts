import { DEFAULT_EVENT_TITLE } from '@garba/shared/constants'
import type { Settings } from '../config.ts'
import { folderMailer } from './folder.ts'
import type { Mailer } from './mails.ts'
import { type Patience, smtpMailer } from './smtp.ts'

const PATIENCE: Patience = { answer: 15_000, whole: 60_000 }

type MailerSettings = Pick<Settings, 'mail' | 'mailDir' | 'demo' | 'eventTitle' | 'supportEmail'> & {
  payments: Pick<Settings['payments'], 'on'>
}

/**
 * Decides how mails leave: with PAYMENTS=none there are none. Otherwise they go to the mail server; without one, a demo
 * writes them to its folder, and any other site has none.
 */
export function mailWay({ payments, mail, demo }: Pick<MailerSettings, 'payments' | 'mail' | 'demo'>) {
  if (!payments.on) return 'off'
  if (mail) return 'sent'
  return demo ? 'written' : 'off'
}

/** Sends alarms, whether or not guests get mails; null without a mail server. */
export const makeAlertMailer = ({ mail }: Pick<Settings, 'mail'>): Mailer | null =>
  mail ? smtpMailer(mail, PATIENCE) : null

/** Sends the mails of a site; null if it sends none. */
export function makeMailer(settings: MailerSettings, patience = PATIENCE): Mailer | null {
  const { mail } = settings
  const way = mailWay(settings)
  if (way === 'sent' && mail) return smtpMailer(mail, patience)
  return way === 'written' ? demoMailer(settings) : null
}

/** Writes a demo's mails to its folder. */
export const demoMailer = ({ mailDir, eventTitle, supportEmail }: Omit<MailerSettings, 'payments'>): Mailer =>
  folderMailer({ folder: mailDir, from: { name: eventTitle ?? DEFAULT_EVENT_TITLE, address: supportEmail } })
