import { PassThrough } from 'node:stream'
import { DEFAULT_EVENT_TITLE, MINUTE_MS } from '@garba/shared/constants'
import type { NodemailerError } from 'nodemailer'
import type { Settings } from '../config.ts'
import { type MailSettings, parseSender, parseSmtpServer } from '../settings/mailSettings.ts'
import { isLoopback } from '../settings/variables.ts'
import { folderMailer } from './folder.ts'
import { buildMailOptions, getEmailDomain, isWithoutClass, type Mailer, type MailOutcome } from './mails.ts'

/** Milliseconds to wait for a connection, for an answer once connected, and for one whole mail. */
export interface Patience {
  connection: number
  answer: number
  whole: number
}

/** A server may take five minutes for a recipient and ten for the mail (RFC 5321 4.5.3.2). */
const PATIENCE: Patience = { connection: 15_000, answer: 10 * MINUTE_MS, whole: 16 * MINUTE_MS }
/** Alarms are looked for each minute, and not while the mail about them is on its way. */
const ALERT_PATIENCE: Patience = { connection: 15_000, answer: 15_000, whole: MINUTE_MS }

type MailerSettings = Pick<Settings, 'mail' | 'mailDir' | 'demo' | 'eventTitle' | 'supportEmail'> & {
  payments: Pick<Settings['payments'], 'on'>
}

/**
 * Decides how mails are sent: to the mail server. Without one, a demo that takes payments writes them to its folder,
 * and any other site sends none.
 */
export function mailWay({ payments, mail, demo }: Pick<MailerSettings, 'payments' | 'mail' | 'demo'>) {
  if (mail) return 'sent'
  return demo && payments.on ? 'written' : 'off'
}

export const makeAlertMailer = ({ mail }: Pick<Settings, 'mail'>): Mailer | null =>
  mail ? smtpMailer(mail, ALERT_PATIENCE) : null

export function makeMailer(settings: MailerSettings, patience = PATIENCE): Mailer | null {
  const { mail } = settings
  const way = mailWay(settings)
  if (way === 'sent' && mail) return smtpMailer(mail, patience)
  return way === 'written' ? demoMailer(settings) : null
}

export const demoMailer = ({ mailDir, eventTitle, supportEmail }: Omit<MailerSettings, 'payments'>): Mailer =>
  folderMailer({ folder: mailDir, from: { name: eventTitle ?? DEFAULT_EVENT_TITLE, address: supportEmail } })

/** A server loads the package with its first mail, not at its start. */
async function makeTransport(mail: MailSettings, { connection, answer }: Patience, { forceAuth = false } = {}) {
  const { createTransport } = await import('nodemailer')
  const sender = parseSender(mail.from)
  if (!sender) throw new RangeError('Not a sender')
  const { auth, ...server } = parseSmtpServer(mail)
  const transport = createTransport({
    ...server,
    ...(auth ? { auth, forceAuth } : {}),
    // A mail server on the same machine has a certificate that nobody signed, and nobody can stand between.
    ...(isLoopback(server.host) ? { tls: { rejectUnauthorized: false } } : {}),
    // Otherwise the greeting would reveal this machine's name.
    name: getEmailDomain(sender.address),
    connectionTimeout: connection,
    greetingTimeout: connection,
    socketTimeout: answer,
    dnsTimeout: connection,
  })
  return { transport, sender }
}

function smtpMailer(mail: MailSettings, patience: Patience): Mailer {
  return {
    async send(letter, dispatch) {
      const { transport, sender } = await makeTransport(mail, patience)
      let isHandedOver = false
      transport.use('stream', ({ message }, done) => {
        const markHandedOver = (over: () => void) => {
          isHandedOver = true
          over()
        }
        message.transform(() => new PassThrough({ flush: markHandedOver }))
        done()
      })
      const limits = [AbortSignal.timeout(patience.whole), ...(dispatch.signal ? [dispatch.signal] : [])]
      try {
        await transport.sendMail({ ...buildMailOptions(letter, dispatch, sender), signal: AbortSignal.any(limits) })
        return { outcome: 'accepted' }
      } catch (error) {
        return buildSendFailure(error, isHandedOver)
      }
    },
  }
}

/**
 * Signs in to the mail server without sending anything. Resolves with null if it accepts, otherwise with the reason. A
 * server that asks for no password proves nothing about ours.
 */
export async function verifyMail(mail: MailSettings, patience: Patience): Promise<string | null> {
  const { transport } = await makeTransport(mail, patience, { forceAuth: true })
  try {
    await transport.verify()
    return null
  } catch (error) {
    return getErrorStatus(error)
  } finally {
    transport.close()
  }
}

/** Commands whose refusal may be about the recipient's address or the mail. */
const ABOUT_THE_MAIL = /^(RCPT TO|DATA|BDAT)/
/**
 * The classes of a refusal (RFC 3463) that no later try can end: the address (except the sender's, 5.1.7 and 5.1.8), a
 * mailbox that is disabled, a mail that is too large or cannot be converted. An old server names no class.
 */
const FOR_GOOD = /^5\d\d(?: 5\.(?:1\.(?![78]$)\d+|2\.[13]|3\.4|6\.\d+))?$/

/** What Exim writes without a class where it refuses this server, in place of the address. */
const ABOUT_US = /relay|sender|authenticat/i
const ADDRESSES = /\S+@\S+|\b[\w-]+(\.[\w-]+)+\b/g

/**
 * A permanent refusal counts as bounced only if it concerns the address or the mail. A refusal of this server (the
 * greeting, the password, the sender's address, a relay or a policy) ends when the settings change, so the mail waits
 * for that.
 */
function buildSendFailure(error: unknown, isHandedOver: boolean): MailOutcome {
  const why = getErrorStatus(error)
  const { command, permanent, responseCode, response = '' } = error as NodemailerError
  const isOurs = isWithoutClass(why) && ABOUT_US.test(response.replace(ADDRESSES, ''))
  const bounced = permanent === true && ABOUT_THE_MAIL.test(command ?? '') && FOR_GOOD.test(why) && !isOurs
  if (bounced) return { outcome: 'bounced', why }
  return { outcome: 'retry', why, ...(isHandedOver && responseCode === undefined && { isPerhapsTaken: true }) }
}

/** Node's words for a certificate that it does not trust; nodemailer replaces Node's codes. */
const CERTIFICATE = /certificate|altnames/i
export const BAD_CERTIFICATE = 'CERTIFICATE'

/** The mail server's status code, or the error's own. Rethrows anything that is not an Error. */
function getErrorStatus(error: unknown): string {
  if (!(error instanceof Error)) throw error
  const { code, responseCode, response }: NodemailerError = error
  if (/^(ESOCKET|ETLS)$/.test(code ?? '') && CERTIFICATE.test(error.message)) return BAD_CERTIFICATE
  const status = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response ?? '')?.[0]?.replace('-', ' ')
  return status ?? (responseCode === undefined ? (code ?? error.name) : String(responseCode))
}
