import { DEMO_PROJECT_ID } from '@garba/shared/constants'
import { expect } from 'vitest'
import { unsigned } from './tokens.ts'

/** What a demo's identity process would give for an email. */
export function tokenOf(email: string): string {
  const seconds = Math.floor(Date.now() / 1000)
  const claims = { sub: email, email, email_verified: true, iat: seconds, auth_time: seconds, exp: seconds + 3600 }
  return unsigned({ iss: `https://securetoken.google.com/${DEMO_PROJECT_ID}`, aud: DEMO_PROJECT_ID, ...claims })
}

export interface Answer {
  status: number
  headers: Headers
  body: Record<string, unknown>
}
/** Calls a server in a process of its own: POST where there is a body, unless the method says otherwise. */
export type Send = (
  url: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
  method?: string,
) => Promise<Answer>

const senderOf =
  (email: string): Send =>
  async (url, path, body, headers = {}, method = 'POST') => {
    const init = body === undefined ? {} : { method, body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${tokenOf(email)}`, ...headers },
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
  }

/** Signs in at a server that takes a demo's tokens. */
export async function signedIn(url: string, email: string): Promise<Send> {
  const send = senderOf(email)
  expect(await send(url, '/api/auth/google-signin', { idToken: tokenOf(email) })).toMatchObject({ status: 200 })
  return send
}

/** The body of an answer that must be a success. */
export async function mustSend(asked: Promise<Answer>): Promise<Record<string, unknown>> {
  const { status, body } = await asked
  if (body.success !== true) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`)
  return body
}
