import * as z from 'zod'
import type { Settings } from '../config.ts'
import { TokenRefused } from './claims.ts'

const GOOGLE = 'https://identitytoolkit.googleapis.com'
const PATIENCE_MS = 8_000

/** A request to the identity provider failed. `reason` is its own code, such as QUOTA_EXCEEDED, or an error's name. */
export class ToolkitFailure extends Error {
  override name = 'ToolkitFailure'
  readonly reason: string

  constructor(reason: string) {
    super(`The identity provider answered ${reason}`)
    this.reason = reason
  }
}

/** The provider's public API, called with the key that every browser has, without a secret of the project. */
export interface Toolkit {
  address?: string
  settings: Pick<Settings, 'firebase' | 'demo' | 'emulatorHost'>
}

interface MailLink {
  email: string
  /** The page that the link opens. The provider adds its code to the query. */
  page: string
  language: string
}

const sentSchema = z.object({ oobLink: z.url().optional() })

/**
 * Lets the provider send a sign-in link. A demo's emulator sends nothing, so the finished link is returned; otherwise
 * null. It makes no difference whether there is an account. Throws ToolkitFailure.
 */
export async function sendMailLink(toolkit: Toolkit, { email, page, language }: MailLink): Promise<string | null> {
  const { demo } = toolkit.settings
  const answer = await ask(toolkit, 'sendOobCode', {
    body: { requestType: 'EMAIL_SIGNIN', email, continueUrl: page, canHandleCodeInApp: true, returnOobLink: demo },
    // The API key may be limited to pages of the site. The emulator returns links only to its owner.
    headers: { 'X-Firebase-Locale': language, Referer: page, ...(demo ? { Authorization: 'Bearer owner' } : {}) },
  })
  const { oobLink } = sentSchema.parse(answer)
  return demo && oobLink !== undefined ? finished(page, oobLink) : null
}

function finished(page: string, oobLink: string): string {
  const link = new URL(page)
  for (const [name, value] of new URL(oobLink).searchParams)
    if (name !== 'continueUrl') link.searchParams.set(name, value)
  return link.href
}

const accountSchema = z.object({ users: z.array(z.object({ passwordHash: z.string().optional() })) })

/**
 * Whether the holder of a token has a password at the provider. Throws ToolkitFailure, or TokenRefused when it refuses
 * the token.
 */
export async function hasPassword(toolkit: Toolkit, idToken: string): Promise<boolean> {
  const answer = await ask(toolkit, 'lookup', { body: { idToken } })
  const [account] = accountSchema.parse(answer).users
  if (!account) throw new TokenRefused('no such account')
  return Boolean(account.passwordHash)
}

const errorSchema = z.object({ error: z.object({ message: z.string() }) })

async function ask(
  { address, settings: { firebase, demo, emulatorHost } }: Toolkit,
  call: string,
  { body, headers = {} }: { body: object; headers?: Record<string, string> },
): Promise<unknown> {
  const base = address ?? (demo && emulatorHost ? `http://${emulatorHost}/identitytoolkit.googleapis.com` : GOOGLE)
  try {
    const response = await fetch(`${base}/v1/accounts:${call}?key=${encodeURIComponent(firebase.apiKey)}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const answer: unknown = await response.json()
    if (response.ok) return answer
    // "QUOTA_EXCEEDED : Exceeded daily quota for email sign-in."
    const [reason = ''] = (errorSchema.safeParse(answer).data?.error.message ?? `${response.status}`).split(' ')
    throw new ToolkitFailure(reason)
  } catch (error) {
    if (error instanceof ToolkitFailure) throw error
    throw new ToolkitFailure(error instanceof Error ? error.name : 'unknown')
  }
}
