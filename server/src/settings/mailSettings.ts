import * as z from 'zod'
import { isLoopback, makeOptional } from './variables.ts'

/** The mail server and the sender. The address holds the password, so it is never logged. */
export interface MailSettings {
  /** smtp:// or smtps://, with user and password if the server requires them. */
  smtpUrl: string
  /** An address, or "Name <address>". */
  from: string
}

/** Splits "Name <address>"; null if it is neither that nor a plain address. */
export function parseSender(text: string): { name: string; address: string } | null {
  const [, name = '', address = text] = /^([^<>@"\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? []
  return z.email().safeParse(address).success ? { name: name.trim(), address } : null
}

/** Whether user and password can be decoded: a lone % cannot. */
const isReadable = (address: string): boolean => {
  try {
    return parseSmtpServer({ smtpUrl: address, from: '' }).host !== ''
  } catch (error) {
    if (error instanceof URIError || error instanceof TypeError) return false
    throw error
  }
}

const wrongServer = 'must be an address such as smtps://user:password@mail.example.org:465'

export const MAIL_VARIABLES = {
  SMTP_URL: makeOptional(
    z
      .url({ protocol: /^smtps?$/, hostname: /./, error: wrongServer })
      .refine((address) => !/[?#]|:\/\/[^/]+\/./.test(address) && isReadable(address), wrongServer)
      .optional(),
  ),
  ALERT_EMAIL: makeOptional(z.email('must be an email address').optional()),
  MAIL_FROM: makeOptional(
    z
      .string()
      .trim()
      .refine(
        (text) => parseSender(text) !== null,
        'must be an address, or a name and an address: Garba <tickets@example.org>',
      )
      .optional(),
  ),
}
type MailVariables = z.output<z.ZodObject<typeof MAIL_VARIABLES>>

export function mailProblem(env: MailVariables): string | null {
  if (env.SMTP_URL && !env.MAIL_FROM) return 'MAIL_FROM is missing: with SMTP_URL, mails need a sender.'
  if (env.ALERT_EMAIL && !env.SMTP_URL)
    return 'SMTP_URL is missing, though ALERT_EMAIL is set: without it no alarm can be sent.'
  if (env.MAIL_FROM && !env.SMTP_URL)
    return 'SMTP_URL is missing, though MAIL_FROM is set: without it no mail can be sent.'
  return null
}

/** Call `mailProblem` first. */
export const buildMailSettings = ({ SMTP_URL, MAIL_FROM }: MailVariables): MailSettings | null =>
  SMTP_URL && MAIL_FROM ? { smtpUrl: SMTP_URL, from: MAIL_FROM } : null

export interface SmtpServer {
  host: string
  port: number
  secure: boolean
  /** A password is never sent unencrypted: without TLS from the start, STARTTLS is required. */
  requireTLS: boolean
  auth: { user: string; pass: string } | null
}

export function parseSmtpServer({ smtpUrl }: MailSettings): SmtpServer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const auth = username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : null
  return {
    host,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTLS: auth !== null && !secure && !isLoopback(host),
    auth,
  }
}
