import { randomBytes } from 'node:crypto'
import { base64url } from 'jose'
import * as z from 'zod'

const GOOGLE = 'google.com'
const LIFETIME_SECONDS = 3600

export interface KnownIdentity {
  readonly uid: string
  readonly sub: string
  readonly email: string
  readonly name: string
}

interface IdentityAccount {
  localId: string
  email: string | undefined
  emailVerified: boolean
  displayName: string | undefined
  photoUrl: string | undefined
  /** Google's id of the person; undefined for somebody who signs in by mail. */
  sub: string | undefined
  hasPassword: boolean
  createdAt: Date
  lastLoginAt: Date
}

interface IdentityOptions {
  projectId: string
  accounts: readonly KnownIdentity[]
  now?: () => Date
}

class IdentityRefusal extends Error {
  override name = 'IdentityRefusal'
}

const claimsSchema = z.object({
  sub: z.string().min(1),
  email: z.email().optional(),
  email_verified: z.union([z.boolean(), z.stringbool()]).default(false),
  name: z.string().optional(),
  picture: z.string().optional(),
})
const refreshSchema = z.object({ localId: z.string(), provider: z.string(), project: z.string() })
const idTokenSchema = z.object({ user_id: z.string(), aud: z.string() })

/**
 * Stands in for the calls of the Firebase Auth emulator that the SDK in the browser and the server make: sign-in with
 * Google or by a mail's link, look-up, refresh. Tokens are unsigned (`alg: none`) and, as with the emulator, a refresh
 * token names its account, so it outlives a restart. `npm run engines -- identity` compares it with the emulator.
 */
export function makeIdentityDouble({ projectId, accounts, now = () => new Date() }: IdentityOptions) {
  const known = new Map<string, IdentityAccount>()
  const mailCodes = new Map<string, string>()

  function addAccount(fields: Partial<IdentityAccount>): IdentityAccount {
    const account: IdentityAccount = {
      localId: randomBytes(21).toString('base64url'),
      email: undefined,
      emailVerified: false,
      displayName: undefined,
      photoUrl: undefined,
      sub: undefined,
      hasPassword: false,
      createdAt: now(),
      lastLoginAt: now(),
      ...fields,
    }
    known.set(account.localId, account)
    return account
  }

  for (const { uid, sub, email, name } of accounts)
    addAccount({ localId: uid, sub, email, emailVerified: true, displayName: name })

  const findAccount = (test: (account: IdentityAccount) => boolean): IdentityAccount | undefined =>
    [...known.values()].find(test)
  const findByEmail = (email: string | undefined): IdentityAccount | undefined =>
    email === undefined ? undefined : findAccount((one) => one.email?.toLowerCase() === email.toLowerCase())

  function buildIdToken(account: IdentityAccount, provider: string): string {
    const seconds = Math.floor(now().getTime() / 1000)
    const identities = {
      ...(account.email === undefined ? {} : { email: [account.email] }),
      ...(account.sub === undefined ? {} : { [GOOGLE]: [account.sub] }),
    }
    const payload = {
      name: account.displayName,
      picture: account.photoUrl,
      email: account.email,
      email_verified: account.emailVerified,
      auth_time: Math.floor(account.lastLoginAt.getTime() / 1000),
      user_id: account.localId,
      firebase: { identities, sign_in_provider: provider },
      iat: seconds,
      exp: seconds + LIFETIME_SECONDS,
      aud: projectId,
      iss: `https://securetoken.google.com/${projectId}`,
      sub: account.localId,
    }
    const encode = (part: object) => base64url.encode(JSON.stringify(part))
    return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(payload)}.`
  }

  function signIn(account: IdentityAccount, provider: string) {
    account.lastLoginAt = now()
    return {
      localId: account.localId,
      idToken: buildIdToken(account, provider),
      refreshToken: base64url.encode(JSON.stringify({ localId: account.localId, provider, project: projectId })),
      expiresIn: `${LIFETIME_SECONDS}`,
    }
  }

  function signInWithGoogle({ postBody }: Record<string, unknown>): object {
    const sent = new URLSearchParams(z.string().catch('').parse(postBody))
    if (sent.get('providerId') !== GOOGLE) throw new IdentityRefusal('OPERATION_NOT_ALLOWED')
    const idToken = sent.get('id_token') ?? ''
    const claims = claimsSchema.safeParse(readClaims(idToken)).data
    if (!claims) throw new IdentityRefusal('INVALID_IDP_RESPONSE : Unable to parse id_token')
    const { sub, email, email_verified: emailVerified, name, picture } = claims
    const provider = { providerId: GOOGLE, federatedId: `https://accounts.google.com/${sub}` }
    const bySub = findAccount((one) => one.sub === sub)
    const byEmail = bySub ? undefined : findByEmail(email)
    if (byEmail && !emailVerified) return { ...provider, email, needConfirmation: true, verifiedProvider: [GOOGLE] }
    const account = bySub ?? byEmail ?? addAccount({ email, emailVerified })
    Object.assign(account, { sub, displayName: name ?? account.displayName, photoUrl: picture ?? account.photoUrl })
    if (emailVerified && email?.toLowerCase() === account.email?.toLowerCase()) account.emailVerified = true
    return {
      kind: 'identitytoolkit#VerifyAssertionResponse',
      ...provider,
      email: account.email,
      emailVerified: account.emailVerified,
      displayName: account.displayName,
      photoUrl: account.photoUrl,
      rawUserInfo: JSON.stringify({ id: sub, email, verified_email: emailVerified, name, picture, granted_scopes: '' }),
      oauthIdToken: idToken,
      isNewUser: bySub === undefined && byEmail === undefined,
      ...signIn(account, GOOGLE),
    }
  }

  function requireAccount(idToken: unknown): IdentityAccount {
    const token = idTokenSchema.safeParse(readClaims(z.string().catch('').parse(idToken))).data
    if (!token || token.aud !== projectId) throw new IdentityRefusal('INVALID_ID_TOKEN')
    const account = known.get(token.user_id)
    if (!account) throw new IdentityRefusal('USER_NOT_FOUND')
    return account
  }

  function lookUpAccount({ idToken }: Record<string, unknown>): object {
    const account = requireAccount(idToken)
    const { localId, email, emailVerified, displayName, photoUrl, sub, hasPassword, createdAt, lastLoginAt } = account
    const shared = { email, displayName, photoUrl }
    const user = {
      localId,
      ...shared,
      emailVerified,
      providerUserInfo: [
        ...(sub === undefined ? [] : [{ providerId: GOOGLE, rawId: sub, federatedId: sub, ...shared }]),
        ...(hasPassword ? [{ providerId: 'password', rawId: email, federatedId: email, ...shared }] : []),
      ],
      ...(hasPassword ? { passwordHash: 'kept' } : {}),
      validSince: '0',
      createdAt: `${createdAt.getTime()}`,
      lastLoginAt: `${lastLoginAt.getTime()}`,
      lastRefreshAt: now().toISOString(),
    }
    return { kind: 'identitytoolkit#GetAccountInfoResponse', users: [user] }
  }

  /** Only the server, as owner, sees the link; a browser learns no more than that it was sent. */
  function sendMailCode(body: Record<string, unknown>, { isOwner, origin }: { isOwner: boolean; origin: string }) {
    const { requestType, email, continueUrl, returnOobLink } = body
    if (requestType !== 'EMAIL_SIGNIN') throw new IdentityRefusal('OPERATION_NOT_ALLOWED')
    const address = z.email().safeParse(email).data
    if (address === undefined) throw new IdentityRefusal('INVALID_EMAIL')
    const oobCode = randomBytes(24).toString('base64url')
    mailCodes.set(oobCode, address)
    const link = new URL('/emulator/action', origin)
    const query = { mode: 'signIn', lang: 'en', oobCode, apiKey: 'demo', continueUrl: `${continueUrl}` }
    for (const [name, value] of Object.entries(query)) link.searchParams.set(name, value)
    const shown = isOwner && returnOobLink === true ? { oobCode, oobLink: link.href } : {}
    return { kind: 'identitytoolkit#GetOobConfirmationCodeResponse', email: address, ...shown }
  }

  function signInWithMail({ email, oobCode }: Record<string, unknown>): object {
    const sentTo = mailCodes.get(`${oobCode}`)
    if (sentTo === undefined) throw new IdentityRefusal('INVALID_OOB_CODE')
    if (sentTo.toLowerCase() !== `${email}`.toLowerCase()) throw new IdentityRefusal('INVALID_EMAIL')
    mailCodes.delete(`${oobCode}`)
    const found = findByEmail(sentTo)
    const account = found ?? addAccount({ email: sentTo })
    account.emailVerified = true
    return {
      kind: 'identitytoolkit#EmailLinkSigninResponse',
      email: account.email,
      isNewUser: !found,
      ...signIn(account, 'password'),
    }
  }

  function signUp({ email, password, displayName }: Record<string, unknown>): object {
    const fields = z.object({ email: z.email(), password: z.string().min(6) }).safeParse({ email, password }).data
    if (!fields) throw new IdentityRefusal('OPERATION_NOT_ALLOWED')
    if (findByEmail(fields.email)) throw new IdentityRefusal('EMAIL_EXISTS')
    const name = z.string().optional().catch(undefined).parse(displayName)
    const account = addAccount({ email: fields.email, displayName: name, hasPassword: true })
    const shown = { email: account.email, displayName: name }
    return { kind: 'identitytoolkit#SignupNewUserResponse', ...shown, ...signIn(account, 'password') }
  }

  function deleteAccount({ idToken }: Record<string, unknown>): object {
    known.delete(requireAccount(idToken).localId)
    return { kind: 'identitytoolkit#DeleteAccountResponse' }
  }

  function refresh(fields: Record<string, unknown>): object {
    const sent = z
      .string()
      .catch('')
      .parse(fields.refresh_token ?? fields.refreshToken)
    const token = refreshSchema.safeParse(parseJson(decodeText(sent))).data
    if (!token || token.project !== projectId) throw new IdentityRefusal('INVALID_REFRESH_TOKEN')
    const account = known.get(token.localId)
    if (!account) throw new IdentityRefusal('USER_NOT_FOUND')
    const idToken = buildIdToken(account, token.provider)
    return {
      id_token: idToken,
      access_token: idToken,
      expires_in: `${LIFETIME_SECONDS}`,
      refresh_token: sent,
      token_type: 'Bearer',
      user_id: account.localId,
      project_id: projectId,
    }
  }

  const calls: Record<string, (body: Record<string, unknown>, request: Request) => object> = {
    'POST /identitytoolkit.googleapis.com/v1/accounts:signInWithIdp': signInWithGoogle,
    'POST /identitytoolkit.googleapis.com/v1/accounts:signInWithEmailLink': signInWithMail,
    'POST /identitytoolkit.googleapis.com/v1/accounts:sendOobCode': (body, { headers, url }) =>
      sendMailCode(body, { isOwner: headers.get('authorization') === 'Bearer owner', origin: new URL(url).origin }),
    'POST /identitytoolkit.googleapis.com/v1/accounts:lookup': lookUpAccount,
    'POST /identitytoolkit.googleapis.com/v1/accounts:signUp': signUp,
    'POST /identitytoolkit.googleapis.com/v1/accounts:delete': deleteAccount,
    'POST /securetoken.googleapis.com/v1/token': refresh,
    'GET /identitytoolkit.googleapis.com/v1/projects': () => ({ projectId, authorizedDomains: ['localhost'] }),
  }

  return async function answer(request: Request): Promise<Response> {
    const call = calls[`${request.method} ${new URL(request.url).pathname}`]
    try {
      if (!call) return refuse(404, 'NOT_FOUND')
      return Response.json(call(await readBody(request), request))
    } catch (error) {
      if (!(error instanceof IdentityRefusal)) throw error
      return refuse(400, error.message)
    }
  }
}

const refuse = (code: number, message: string): Response =>
  Response.json(
    { error: { code, message, errors: [{ message, domain: 'global', reason: 'invalid' }] } },
    { status: code },
  )

async function readBody(request: Request): Promise<Record<string, unknown>> {
  const text = await request.text()
  if (request.headers.get('content-type')?.includes('json'))
    return z.record(z.string(), z.unknown()).catch({}).parse(parseJson(text))
  return Object.fromEntries(new URLSearchParams(text))
}

/** The claims of an unsigned token, which may be bare JSON, as the emulator accepts it. */
function readClaims(token: string): unknown {
  return parseJson(token.startsWith('{') ? token : decodeText(token.split('.')[1] ?? ''))
}

function decodeText(encoded: string): string {
  return Buffer.from(encoded, 'base64url').toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
