import { connect } from 'node:tls'
import { DAY_MS } from '@garba/shared/constants'
import { DOCTOR } from '@garba/shared/messages/doctor'
import * as z from 'zod'
import { NO_PROJECT, type Settings } from '../config.ts'
import { findAnswerer } from '../flows/recovery/address.ts'
import { BAD_CERTIFICATE, mailWay, verifyMail } from '../mail/mailer.ts'
import { ProviderUnavailable } from '../providers/provider.ts'
import { makeProviders } from '../providers/razorpay.ts'
import { isLoopback } from '../settings/variables.ts'
import type { Store } from '../store/engine/store.ts'
import { buildFailure, buildOk, buildWarning, type Check, formatErrorReason, whyOfCode } from './check.ts'

const PATIENCE_MS = 5_000
const SOON_MS = 14 * DAY_MS
const LATE_MS = 2 * DAY_MS

export interface Outside {
  projectConfig: string
  clocks: readonly string[]
}
export const OUTSIDE: Outside = {
  projectConfig: 'https://www.googleapis.com/identitytoolkit/v3/relyingparty/getProjectConfig?key=',
  clocks: ['https://www.gstatic.com/generate_204', 'https://cloudflare.com/cdn-cgi/trace'],
}

const get = (url: string): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })

const healthSchema = z.object({ success: z.literal(true), revision: z.number(), readOnly: z.string().optional() })

export async function publicAddress({ publicUrl, demo }: Settings): Promise<Check> {
  const words = DOCTOR.address
  const { name } = words
  if (publicUrl === null || isLoopback(new URL(publicUrl).hostname)) {
    const found = words.local(publicUrl ?? 'http://localhost')
    return demo ? buildWarning(name, found, words.localCure) : buildFailure(name, found, words.localCure)
  }
  const from = performance.now()
  try {
    const answer = await get(`${publicUrl}/healthz`)
    const health = healthSchema.safeParse(await answer.json().catch(() => null))
    if (!health.success) return buildFailure(name, words.foreign(publicUrl), words.foreignCure)
    if (health.data.readOnly !== undefined) return buildFailure(name, health.data.readOnly, words.readOnlyCure)
    if (!publicUrl.startsWith('https:')) return buildFailure(name, words.http(publicUrl), words.httpCure)
    return buildOk(name, words.ok(publicUrl, Math.round(performance.now() - from)))
  } catch (error) {
    return buildFailure(name, words.silent(publicUrl, formatErrorReason(error)), words.silentCure)
  }
}

/** Whether another server answers at PUBLIC_URL, which makes this one read-only. */
export async function checkTakeover(
  { publicUrl, checksAddress }: Settings,
  store: Pick<Store, 'read'>,
): Promise<Check> {
  const { name, ok: alone, unknown, unknownCure, replaced, replacedCure } = DOCTOR.takeover
  if (publicUrl === null || !checksAddress) return buildOk(name, alone)
  const who = await findAnswerer(store, () => get(`${publicUrl}/healthz`))
  if (who === null) return buildWarning(name, unknown(publicUrl), unknownCure)
  return who === 'itself' ? buildOk(name, alone) : buildFailure(name, replaced, replacedCure)
}

/** The remaining life of PUBLIC_URL's certificate; null if it has none. */
export async function checkCertificate({ publicUrl }: Settings): Promise<Check | null> {
  if (!publicUrl?.startsWith('https:')) return null
  const { hostname, port } = new URL(publicUrl)
  try {
    return certificateCheck(await certificateLife(hostname, Number(port || 443)), new Date())
  } catch (error) {
    return buildFailure(
      DOCTOR.certificate.name,
      DOCTOR.certificate.unread(formatErrorReason(error)),
      DOCTOR.certificate.soonCure,
    )
  }
}

interface Life {
  from: Date
  to: Date
}

/** Proxies renew a certificate in the last third of its life, so a short-lived certificate may have only hours left. */
export function certificateCheck({ from, to }: Life, now: Date): Check {
  const words = DOCTOR.certificate
  const whole = to.getTime() - from.getTime()
  const left = to.getTime() - now.getTime()
  if (left >= Math.min(SOON_MS, whole / 6)) return buildOk(words.name, words.ok(left))
  const late = left < Math.min(LATE_MS, whole / 12)
  return (late ? buildFailure : buildWarning)(words.name, words.soon(left), words.soonCure)
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

const projectSchema = z.object({ authorizedDomains: z.array(z.string()) })

export async function checkSignIn(
  { demo, firebase, publicUrl, signIn: ways }: Settings,
  outside: Outside,
): Promise<Check> {
  const words = DOCTOR.signIn
  const { name } = words
  if (demo) return buildOk(name, words.demo)
  if (firebase.projectId === NO_PROJECT) return buildOk(name, words.none)
  try {
    const answer = await get(`${outside.projectConfig}${encodeURIComponent(firebase.apiKey)}`)
    if (answer.status >= 500) return buildWarning(name, words.silent(String(answer.status)), words.silentCure)
    const project = projectSchema.safeParse(await answer.json().catch(() => null))
    if (!answer.ok || !project.success) return buildFailure(name, words.refused, words.refusedCure)
    const host = publicUrl === null ? 'localhost' : new URL(publicUrl).hostname
    const hosts = ways.includes('email') ? [host, firebase.authDomain] : [host]
    const missing = hosts.find((one) => !project.data.authorizedDomains.includes(one))
    if (missing === undefined) return buildOk(name, words.ok)
    return buildFailure(name, words.notAuthorised(missing), words.notAuthorisedCure)
  } catch (error) {
    return buildWarning(name, words.silent(formatErrorReason(error)), words.silentCure)
  }
}

/** The machine's clock orders scans and sales. A Date header is accurate to a second. */
const CLOCK_OFF_S = 5
const CLOCK_WRONG_S = 60

/** Compares the machine's clock with two others, because one alone may be wrong. */
export async function checkClock(outside: Outside): Promise<Check> {
  const words = DOCTOR.clock
  const offs = (await Promise.all(outside.clocks.map(secondsOff))).filter((off) => off !== null)
  const [first] = offs
  if (first === undefined) return buildWarning(words.name, words.unknown, words.unknownCure)
  if (offs.some((off) => Math.abs(off - first) > CLOCK_OFF_S))
    return buildWarning(words.name, words.apart, words.unknownCure)
  const off = Math.round(Math.abs(first))
  if (off <= CLOCK_OFF_S) return buildOk(words.name, words.ok(Math.max(1, off)))
  return (off < CLOCK_WRONG_S ? buildWarning : buildFailure)(words.name, words.off(off), words.offCure)
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
export async function checkMail(settings: Settings): Promise<Check> {
  const words = DOCTOR.mail
  const way = mailWay(settings)
  if (settings.payments.on && way === 'off') return buildWarning(words.name, words.missing, words.missingCure)
  if (way !== 'sent' || settings.mail === null) return buildOk(words.name, words.off)
  const why = await verifyMail(settings.mail, {
    ...{ connection: PATIENCE_MS, answer: PATIENCE_MS, whole: 2 * PATIENCE_MS },
  })
  if (why === null) return buildOk(words.name, words.ok)
  if (why === BAD_CERTIFICATE) return buildFailure(words.name, words.untrusted, words.untrustedCure)
  const detail = NO_ANSWER.has(why) ? words.silent(whyOfCode(why)) : words.failed(why)
  return buildFailure(words.name, detail, words.failedCure)
}

export async function checkPayments(settings: Settings): Promise<Check> {
  const words = DOCTOR.payments
  const { name } = words
  const { razorpay, on, guest } = settings.payments
  if (!on) return buildOk(name, words.none)
  if (razorpay === null) return buildOk(name, words.byHand)
  if (guest.includes('demo')) return buildOk(name, words.demo)
  const [provider] = Object.values(makeProviders(settings.payments, { now: () => new Date() }))
  try {
    await provider?.fetchSettledMoney('2000-01-01')
  } catch (error) {
    if (error instanceof ProviderUnavailable && error.code)
      return buildFailure(name, words.silent(whyOfCode(error.code)), words.silentCure)
    return buildFailure(name, words.failed(error instanceof Error ? error.message : 'unknown'), words.failedCure)
  }
  return razorpay.testMode ? buildWarning(name, words.test, words.testCure) : buildOk(name, words.ok)
}
