import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer, { type NodemailerError, type SendMailOptions } from 'nodemailer'
import type { Settings } from '../config.ts'
import { type MailSettings, senderOf, smtpServerOf } from '../mailSettings.ts'
import type { Letter } from './mails.ts'

/**
 * What became of a mail. `why` is the server's status code or an error's own, such as "550 5.1.1" or "ETIMEDOUT": never its
 * text, which often has the address in it.
 */
export type Sending = { outcome: 'accepted' } | { outcome: 'retry' | 'bounced'; why: string }

export interface Dispatch {
  /** The same for the same mail, whenever it is sent: its Message-ID is made from it. Letters, digits, `:`, `-` and `_`. */
  key: string
  at: Date
  /** Ends the attempt: the mail is to be sent again later. */
  signal?: AbortSignal
}

export interface Mailer {
  /** Never throws for what a mail server does. */
  send: (letter: Letter, dispatch: Dispatch) => Promise<Sending>
}

/** Milliseconds to wait for a connection or an answer, and for the whole of one mail. */
export interface Patience {
  answer: number
  whole: number
}
const PATIENCE: Patience = { answer: 15_000, whole: 60_000 }

type MailerSettings = Pick<Settings, 'mail' | 'mailDir' | 'demo' | 'eventTitle' | 'supportEmail'>

/** Who sends the mails: the mail server, in a demo without one the folder of mails, otherwise nobody. */
export function makeMailer(settings: MailerSettings, patience = PATIENCE): Mailer | null {
  if (settings.mail) return smtpMailer(settings.mail, patience)
  return settings.demo ? folderMailer(settings) : null
}

function optionsOf(letter: Letter, { key, at }: Dispatch, from: { name: string; address: string }): SendMailOptions {
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

/** A mail that had to be sent twice has one Message-ID, by which mail servers and programs can know it (RFC 5322 3.6.4). */
function messageIdOf(key: string, address: string): string {
  if (!/^[\w:-]+$/.test(key)) throw new RangeError(`Not a key for a mail: ${key}`)
  return `<${key.replaceAll(':', '.')}@${domainOf(address)}>`
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

function smtpMailer(mail: MailSettings, { answer, whole }: Patience): Mailer {
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

const FILE = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.(.+)\.eml$/

/** The mails in a demo's folder, newest first. */
export async function mailFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder))
      .filter((name) => FILE.test(name))
      .sort()
      .reverse()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function folderMailer({ mailDir, eventTitle, supportEmail }: MailerSettings): Mailer {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const from = { name: eventTitle, address: supportEmail }
  return {
    async send(letter, dispatch) {
      const { message } = await transport.sendMail(optionsOf(letter, dispatch, from))
      const key = dispatch.key.replaceAll(':', '.')
      if ((await mailFiles(mailDir)).some((name) => FILE.exec(name)?.[1] === key)) return { outcome: 'accepted' }
      await mkdir(mailDir, { recursive: true, mode: 0o700 })
      const half = join(mailDir, `${randomUUID()}.half`)
      if (!Buffer.isBuffer(message)) throw new TypeError('The mail did not come as one piece')
      await writeFile(half, message, { mode: 0o600 })
      await rename(half, join(mailDir, `${dispatch.at.toISOString().replaceAll(/[:.]/g, '-')}.${key}.eml`))
      return { outcome: 'accepted' }
    },
  }
}
