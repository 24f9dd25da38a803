import { type CallName, PATHS } from '@garba/shared/contracts/paths'
import type { User } from '@garba/shared/contracts/people/user'
import type { Ticket } from '@garba/shared/contracts/ticket'

export interface CallOptions {
  /** Values for the {names} of the path. */
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

export interface Answer {
  status: number
  /** The JSON answer, as it came. */
  body: Record<string, unknown>
}

/** The API as one signed-in user. */
export class Api {
  readonly user: User
  readonly token: string
  readonly refreshToken: string
  private readonly url: string

  constructor(options: { url: string; token: string; refreshToken: string; user: User }) {
    this.url = options.url
    this.token = options.token
    this.refreshToken = options.refreshToken
    this.user = options.user
  }

  call(name: CallName, options: CallOptions = {}): Promise<Answer> {
    return callApi({ url: this.url, name, token: this.token, ...options })
  }

  /** Buys tickets and returns them, as many as were asked for; throws when the server refuses. */
  async buy<N extends number>(quantity: N): Promise<Tickets<N>> {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const { status, body } = await this.call('buyTickets', { body: { quantity }, headers })
    if (status !== 201) throw new Error(`The sale was refused with ${status}: ${JSON.stringify(body)}`)
    return (body as { tickets: Tickets<N> }).tickets
  }
}

/** A ticket that was just sold has its code. */
type Sold = Ticket & { qrCode: string }
type Tickets<N extends number, Made extends Sold[] = []> = number extends N
  ? Sold[]
  : Made['length'] extends N
    ? Made
    : Tickets<N, [...Made, Sold]>

export async function callApi(options: CallOptions & { url: string; name: CallName; token?: string }): Promise<Answer> {
  const { method, path } = PATHS[options.name]
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(options.params?.[key] ?? ''))
  const url = new URL(`/api${filled}`, options.url)
  for (const [key, value] of Object.entries(options.query ?? {})) url.searchParams.set(key, String(value))
  const response = await fetch(url, {
    method,
    headers: {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

interface EmulatorSession {
  localId: string
  idToken: string
  refreshToken: string
}

interface EmulatorSignIn {
  emulatorHost: string
  account: { uid: string; email: string; name: string }
}

/** A session's token is good for an hour, so the tests of a worker share it. */
const sessions = new Map<string, Promise<EmulatorSession>>()

function signInToEmulator({ emulatorHost, account: { uid, email, name } }: EmulatorSignIn): Promise<EmulatorSession> {
  const key = [emulatorHost, uid, email, name].join()
  const session = sessions.get(key) ?? askEmulator({ emulatorHost, account: { uid, email, name } })
  sessions.set(key, session)
  session.catch(() => sessions.delete(key))
  return session
}

/** What the SDK's signInWithCredential sends, sent by hand. `sub` is the uid of a demo account. */
async function askEmulator(options: EmulatorSignIn): Promise<EmulatorSession> {
  const { uid, email, name } = options.account
  const idToken = JSON.stringify({ sub: uid, email, name, email_verified: true })
  const url = `http://${options.emulatorHost}/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=demo`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      requestUri: 'http://localhost',
      returnSecureToken: true,
      postBody: new URLSearchParams({ providerId: 'google.com', id_token: idToken }).toString(),
    }),
  })
  if (!response.ok) throw new Error(`The emulator refused ${email}: ${await response.text()}`)
  return (await response.json()) as EmulatorSession
}

export async function signInToApi(options: EmulatorSignIn & { url: string }): Promise<Api> {
  const { idToken: token, refreshToken } = await signInToEmulator(options)
  const { status, body } = await callApi({ url: options.url, name: 'signIn', body: { idToken: token } })
  if (status !== 200) throw new Error(`The server refused ${options.account.email}: ${JSON.stringify(body)}`)
  return new Api({ url: options.url, token, refreshToken, user: (body as { user: User }).user })
}
