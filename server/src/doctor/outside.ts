import { connect } from 'node:tls'
import { DOCTOR } from '@garba/shared/messages/doctor'
import * as z from 'zod'
import { NO_PROJECT, type Settings } from '../config.ts'
import { mailWay, verifyMail } from '../mail/mailer.ts'
import { ProviderUnavailable } from '../providers/provider.ts'
import { providersOf } from '../providers/razorpay.ts'
import { isLoopback } from '../settings/variables.ts'
import { type Check, failure, ok, warning, whyOf, whyOfCode } from './check.ts'

const PATIENCE_MS = 5_000
const DAY_MS = 86_400_000
const SOON_MS = 14 * DAY_MS
const LATE_MS = 2 * DAY_MS

/** The external addresses that are queried; tests use their own. */
export interface Outside {
  /** Google's project settings; the API key follows. */
  projectConfig: string
  /** Web servers with accurate clocks. */
  clocks: readonly string[]
  actionPage?: typeof actionPage
}
export const OUTSIDE: Outside = {
  projectConfig: 'https://www.googleapis.com/identitytoolkit/v3/relyingparty/getProjectConfig?key=',
  clocks: ['https://www.gstatic.com/generate_204', 'https://cloudflare.com/cdn-cgi/trace'],
}

const get = (url: string): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })

const healthSchema = z.object({ success: z.literal(true), revision: z.number(), readOnly: z.string().optional() })

/** Whether guests reach this server at PUBLIC_URL. */
export async function publicAddress({ publicUrl, demo }: Settings): Promise<Check> {
  const words = DOCTOR.address
  const { name } = words
  if (publicUrl === null || isLoopback(new URL(publicUrl).hostname)) {
    const found = words.local(publicUrl ?? 'http://localhost')
    return demo ? warning(name, found, words.localCure) : failure(name, found, words.localCure)
  }
  const from = performance.now()
  try {
    const answer = await get(`${publicUrl}/healthz`)
    const health = healthSchema.safeParse(await answer.json().catch(() => null))
    if (!health.success) return failure(name, words.foreign(publicUrl), words.foreignCure)
    if (health.data.readOnly !== undefined) return failure(name, health.data.readOnly, words.readOnlyCure)
    if (!publicUrl.startsWith('https:')) return failure(name, words.http(publicUrl), words.httpCure)
    return ok(name, words.ok(publicUrl, Math.round(performance.now() - from)))
  } catch (error) {
    return failure(name, words.silent(publicUrl, whyOf(error)), words.silentCure)
  }
}

/** The remaining life of PUBLIC_URL's certificate; null if it has none. */
export async function certificate({ publicUrl }: Settings): Promise<Check | null> {
  if (!publicUrl?.startsWith('https:')) return null
  const { hostname, port } = new URL(publicUrl)
  try {
    return certificateCheck(await certificateLife(hostname, Number(port || 443)), new Date())
  } catch (error) {
    return failure(DOCTOR.certificate.name, DOCTOR.certificate.unread(whyOf(error)), DOCTOR.certificate.soonCure)
  }
}

interface Life {
  from: Date
  to: Date
}

/** Proxies renew a certificate in the last third of its life, so a short-lived one may have only hours left. */
export function certificateCheck({ from, to }: Life, now: Date): Check {
  const words = DOCTOR.certificate
  const whole = to.getTime() - from.getTime()
  const left = to.getTime() - now.getTime()
  if (left >= Math.min(SOON_MS, whole / 6)) return ok(words.name, words.ok(left))
  const late = left < Math.min(LATE_MS, whole / 12)
  return (late ? failure : warning)(words.name, words.soon(left), words.soonCure)
}

/** Accepts any certificate; `publicAddress` checks trust as a browser does. */
const certificateLife = (host: string, port: number): Promise<Life> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: PATIENCE_MS }, () => {
      const { valid_from, valid_to } = socket.getPeerCertificate()
      resolve({ from: new Date(valid_from), to: new Date(valid_to) })
      socket.end()
    })
    socket.on('error', reject)
    socket.on('timeout', () => socket.destroy(new Error('no answer')))
  })

/** The provider's page behind the links of mails. */
const actionPage = (domain: string): string => `https://${domain}/__/auth/action`

/**
 * Whether the links in sign-in mails work; null if there are none. `signIn` checks whether the project allows their
 * host.
 */
export async function mailLink({ demo, signIn: ways, firebase }: Settings, outside: Outside): Promise<Check | null> {
  if (demo || !ways.includes('email')) return null
  const words = DOCTOR.mailLink
  const address = (outside.actionPage ?? actionPage)(firebase.authDomain)
  try {
    const { ok: works, status } = await get(address)
    return works
      ? ok(words.name, words.ok)
      : failure(words.name, words.failed(address, String(status)), words.failedCure)
  } catch (error) {
    return failure(words.name, words.failed(address, whyOf(error)), words.failedCure)
  }
}

const projectSchema = z.object({ authorizedDomains: z.array(z.string()) })

/** Whether Google knows the project and authorises this site's host, and the host of links in mails. */
export async function signIn({ demo, firebase, publicUrl, signIn: ways }: Settings, outside: Outside): Promise<Check> {
  const words = DOCTOR.signIn
  const { name } = words
  if (demo) return ok(name, words.demo)
  if (firebase.projectId === NO_PROJECT) return ok(name, words.none)
  try {
    const answer = await get(`${outside.projectConfig}${encodeURIComponent(firebase.apiKey)}`)
    if (answer.status >= 500) return warning(name, words.silent(String(answer.status)), words.silentCure)
    const project = projectSchema.safeParse(await answer.json().catch(() => null))
    if (!answer.ok || !project.success) return failure(name, words.refused, words.refusedCure)
    const host = publicUrl === null ? 'localhost' : new URL(publicUrl).hostname
    const hosts = ways.includes('email') ? [host, firebase.authDomain] : [host]
    const missing = hosts.find((one) => !project.data.authorizedDomains.includes(one))
    if (missing === undefined) return ok(name, words.ok)
    return failure(name, words.notAuthorised(missing), words.notAuthorisedCure)
  } catch (error) {
    return warning(name, words.silent(whyOf(error)), words.silentCure)
  }
}

/** The machine's clock orders scans and sales. A Date header is accurate to a second. */
const CLOCK_OFF_S = 5
const CLOCK_WRONG_S = 60

/** Compares the machine's clock with two others, because one alone may be wrong. */
export async function clock(outside: Outside): Promise<Check> {
  const words = DOCTOR.clock
  const offs = (await Promise.all(outside.clocks.map(secondsOff))).filter((off) => off !== null)
  const [first] = offs
  if (first === undefined) return warning(words.name, words.unknown, words.unknownCure)
  if (offs.some((off) => Math.abs(off - first) > CLOCK_OFF_S))
    return warning(words.name, words.apart, words.unknownCure)
  const off = Math.round(Math.abs(first))
  if (off <= CLOCK_OFF_S) return ok(words.name, words.ok(Math.max(1, off)))
  return (off < CLOCK_WRONG_S ? warning : failure)(words.name, words.off(off), words.offCure)
}

async function secondsOff(url: string): Promise<number | null> {
  const from = Date.now()
  try {
    const date = Date.parse((await get(url)).headers.get('date') ?? '')
    // The header names the second that began while the answer was on its way.
    return Number.isNaN(date) ? null : (date + 500 - (from + Date.now()) / 2) / 1000
  } catch {
    return null
  }
}

/** Nodemailer's codes when no mail server was reached. */
const NO_ANSWER: ReadonlySet<string> = new Set(['EDNS', 'ESOCKET', 'ECONNECTION', 'ETIMEDOUT'])

/** Whether the mail server accepts our name and password. No mail is sent. */
export async function mail(settings: Settings): Promise<Check> {
  const words = DOCTOR.mail
  const way = mailWay(settings)
  if (settings.payments.on && way === 'off') return warning(words.name, words.missing, words.missingCure)
  if (way !== 'sent' || settings.mail === null) return ok(words.name, words.off)
  const why = await verifyMail(settings.mail, { answer: PATIENCE_MS, whole: 2 * PATIENCE_MS })
  if (why === null) return ok(words.name, words.ok)
  const detail = NO_ANSWER.has(why) ? words.silent(whyOfCode(why)) : words.failed(why)
  return failure(words.name, detail, words.failedCure)
}

/** Whether the payment provider accepts our keys, by asking for a day without payments. */
export async function payments(settings: Settings): Promise<Check> {
  const words = DOCTOR.payments
  const { name } = words
  const { razorpay, on, guest } = settings.payments
  if (!on) return ok(name, words.none)
  if (razorpay === null) return ok(name, words.byHand)
  if (guest.includes('demo')) return ok(name, words.demo)
  const [provider] = Object.values(providersOf(settings.payments, { now: () => new Date() }))
  try {
    await provider?.settled('2000-01-01')
  } catch (error) {
    if (error instanceof ProviderUnavailable && error.code)
      return failure(name, words.silent(whyOfCode(error.code)), words.silentCure)
    return failure(name, words.failed(error instanceof Error ? error.message : 'unknown'), words.failedCure)
  }
  return razorpay.testMode ? warning(name, words.test, words.testCure) : ok(name, words.ok)
}
