import { DEFAULT_EVENT_TITLE } from '@garba/shared/constants'
import type { NodemailerError } from 'nodemailer'
import type { Settings } from '../config.ts'
import { type MailSettings, senderOf, smtpServerOf } from '../settings/mailSettings.ts'
import { folderMailer } from './folder.ts'
import { domainOf, type Mailer, optionsOf, type Sending } from './mails.ts'

/** Milliseconds to wait for a connection or an answer, and for one whole mail. */
export interface Patience {
  answer: number
  whole: number
}

const PATIENCE: Patience = { answer: 15_000, whole: 60_000 }

type MailerSettings = Pick<Settings, 'mail' | 'mailDir' | 'demo' | 'eventTitle' | 'supportEmail'> & {
  payments: Pick<Settings['payments'], 'on'>
}

/**
 * Decides how mails are sent. With PAYMENTS=none there are none. Otherwise they go to the mail server; without one, a
 * demo writes them to its folder, and any other site sends none.
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

/** A server loads the package with its first mail, not at its start. */
async function transportOf(mail: MailSettings, { answer }: Patience) {
  const { createTransport } = await import('nodemailer')
  const sender = senderOf(mail.from)
  if (!sender) throw new RangeError('Not a sender')
  const { auth, ...server } = smtpServerOf(mail)
  const transport = createTransport({
    ...server,
    ...(auth ? { auth } : {}),
    // Otherwise the greeting would reveal this machine's name.
    name: domainOf(sender.address),
    connectionTimeout: answer,
    greetingTimeout: answer,
    socketTimeout: answer,
    dnsTimeout: answer,
  })
  return { transport, sender }
}

function smtpMailer(mail: MailSettings, patience: Patience): Mailer {
  return {
    async send(letter, dispatch) {
      const { transport, sender } = await transportOf(mail, patience)
      const limits = [AbortSignal.timeout(patience.whole), ...(dispatch.signal ? [dispatch.signal] : [])]
      try {
        await transport.sendMail({ ...optionsOf(letter, dispatch, sender), signal: AbortSignal.any(limits) })
        return { outcome: 'accepted' }
      } catch (error) {
        return failureOf(error)
      }
    },
  }
}

/**
 * Signs in to the mail server without sending anything. Resolves with null if it accepts, otherwise with the reason.
 */
export async function verifyMail(mail: MailSettings, patience: Patience): Promise<string | null> {
  const { transport } = await transportOf(mail, patience)
  try {
    await transport.verify()
    return null
  } catch (error) {
    return statusOf(error)
  } finally {
    transport.close()
  }
}

/** Commands whose refusal is about the recipient's address or the mail. */
const ABOUT_THE_MAIL = /^(RCPT TO|DATA|BDAT)/

/**
 * A permanent refusal counts as bounced only if it concerns the address or the mail. A refusal of this server (the
 * greeting, the password, the sender's address) ends when the settings change, so the mail waits for that.
 */
function failureOf(error: unknown): Sending {
  const why = statusOf(error)
  const { command, permanent } = error as NodemailerError
  const bounced = permanent === true && ABOUT_THE_MAIL.test(command ?? '')
  return { outcome: bounced ? 'bounced' : 'retry', why }
}

/** The mail server's status code, or the error's own. Rethrows anything that is not an Error. */
function statusOf(error: unknown): string {
  if (!(error instanceof Error)) throw error
  const { code, responseCode, response }: NodemailerError = error
  const status = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response ?? '')?.[0]?.replace('-', ' ')
  return status ?? (responseCode === undefined ? (code ?? error.name) : String(responseCode))
}
