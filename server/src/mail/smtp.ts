import nodemailer, { type NodemailerError } from 'nodemailer'
import { type MailSettings, senderOf, smtpServerOf } from '../mailSettings.ts'
import { domainOf, type Mailer, optionsOf, type Sending } from './dispatch.ts'

/** Milliseconds to wait for a connection or an answer, and for the whole of one mail. */
export interface Patience {
  answer: number
  whole: number
}

export function smtpMailer(mail: MailSettings, { answer, whole }: Patience): Mailer {
  const sender = senderOf(mail.from)
  if (!sender) throw new RangeError('Not a sender')
  const { auth, ...server } = smtpServerOf(mail)
  const transport = nodemailer.createTransport({
    ...server,
    ...(auth ? { auth } : {}),
    // Otherwise the greeting tells the name of this machine.
    name: domainOf(sender.address),
    connectionTimeout: answer,
    greetingTimeout: answer,
    socketTimeout: answer,
    dnsTimeout: answer,
  })
  return {
    async send(letter, dispatch) {
      const limits = [AbortSignal.timeout(whole), ...(dispatch.signal ? [dispatch.signal] : [])]
      try {
        await transport.sendMail({ ...optionsOf(letter, dispatch, sender), signal: AbortSignal.any(limits) })
        return { outcome: 'accepted' }
      } catch (error) {
        return failureOf(error)
      }
    },
  }
}

/** Refused by the reader's own side, for good: the address, or this mail. */
const ABOUT_THE_MAIL = /^(RCPT TO|DATA|BDAT)/

/**
 * A refusal for good counts as bounced only where it concerns the address or the mail. One that concerns us (the greeting,
 * the password, the sender's address) ends when somebody changes the settings, so the mail waits for that.
 */
function failureOf(error: unknown): Sending {
  if (!(error instanceof Error)) throw error
  const { code, command, responseCode, response, permanent }: NodemailerError = error
  const status = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response ?? '')?.[0]?.replace('-', ' ')
  const why = status ?? (responseCode === undefined ? (code ?? error.name) : String(responseCode))
  const bounced = permanent === true && ABOUT_THE_MAIL.test(command ?? '')
  return { outcome: bounced ? 'bounced' : 'retry', why }
}
