import type { Call } from '@garba/shared/calls/call'
import { CALLS, type CallInput } from '@garba/shared/calls/calls'
import type { Code } from '@garba/shared/contracts/codes'
import type { CallName, ParamsOf } from '@garba/shared/contracts/paths'
import type { Hono } from 'hono'
import type * as z from 'zod'
import { authenticateCaller, recheckAccess, requireAccess } from '../flows/authenticate.ts'
import type { AnyCaller, Caller, Deps, DeviceCaller } from '../flows/deps.ts'
import { parseInput, Refusal } from '../refusal.ts'
import { sendJson } from './answer.ts'
import type { Bodies, BodyKind } from './bodies.ts'
import { arrivesAtOnce, type Ctx, type Env, findBearerToken, getClientAddress } from './context.ts'
import { getAddressKey, getBodyLimit, type LimitName, type RateLimits } from './limits.ts'

type Contract<N extends CallName> = (typeof CALLS)[N]

/** Calls whose flow checks the body, because the event form's rules need today's date. */
type CheckedByFlow = 'createEvent' | 'updateEvent'
const CHECKED_BY_FLOW: ReadonlySet<CallName> = new Set<CheckedByFlow>(['createEvent', 'updateEvent'])

/** Paired phones may make calls with rights too, and they alone make the calls without a role. */
type CallerOf<C extends Pick<Call, 'access'>> = C['access'] extends 'anyone'
  ? null
  : C extends { rights: readonly unknown[] }
    ? C['access'] extends readonly []
      ? DeviceCaller
      : AnyCaller
    : Caller

export interface IncomingCall<N extends CallName> {
  deps: Deps
  limits: RateLimits
  user: CallerOf<Contract<N>>
  body: N extends CheckedByFlow ? unknown : CallInput<N>
  query: CallInput<N, 'query'>
  raw: Contract<N> extends { raw: true } ? Uint8Array : undefined
  params: ParamsOf<N>
  c: Ctx
}

/** The handler's result: the response's fields besides `success`, or a whole response when it is not JSON. */
type Answer<N extends CallName> =
  Contract<N> extends { answer: infer S extends z.ZodType } ? Omit<z.input<S>, 'success'> | Response : Response

export type Handler<N extends CallName> = (incoming: IncomingCall<N>) => Answer<N> | Promise<Answer<N>>
export type Handlers = { [N in CallName]: Handler<N> }
export type Routes = Partial<Handlers>

type AnyHandler = (incoming: {
  deps: Deps
  limits: RateLimits
  user: AnyCaller | null
  body: unknown
  query: unknown
  raw: Uint8Array | undefined
  params: Record<string, string>
  c: Ctx
}) => object | Promise<object>

const NAMES = Object.keys(CALLS) as CallName[]

const GUESSES: ReadonlySet<Code> = new Set<Code>([
  'UNAUTHENTICATED',
  'SIGNATURE_INVALID',
  'PAIRING_INVALID',
  'LINK_UNKNOWN',
])

interface CallContext {
  deps: Deps
  limits: RateLimits
  bodies: Bodies
}

/** Mounts the handlers under /api. The contract table alone decides who may make a call and what it accepts. */
export function mountCalls(app: Hono<Env>, { routes, ...serving }: CallContext & { routes: Routes }) {
  for (const name of NAMES) {
    const handler = routes[name] as AnyHandler | undefined
    if (!handler) continue
    const call: Call = CALLS[name]
    const path = `/api${call.path.replace(/\{(\w+)\}/g, ':$1')}`
    app.on(call.method, path, async (c) => {
      c.set('call', name)
      try {
        const answer = await answerCall(serving, { name, call, handler, c })
        const sent = answer instanceof Response ? answer : sendJson(c, { success: true, ...answer }, call.status ?? 200)
        await chargeSize(serving, c, sent)
        return sent
      } catch (error) {
        if (error instanceof Refusal && GUESSES.has(error.code))
          await serving.limits.slowDown(getCallSource(serving, c))
        throw error
      }
    })
  }
}

interface Invocation {
  name: CallName
  call: Call
  c: Ctx
}

/** Authenticates and counts the caller before reading any of the body. */
async function answerCall(
  serving: CallContext,
  { handler, ...invocation }: Invocation & { handler: AnyHandler },
): Promise<object> {
  const { deps, limits, bodies } = serving
  const { name, call, c } = invocation
  const whole = call.body !== undefined && (await arrivesAtOnce(c))
  const arrived = await admitCaller(serving, invocation)
  const reading = {
    max: getBodyLimit(name),
    kind: getBodyKind(name, call),
    source: arrived?.id ?? getCallSource(serving, c),
  }
  const bytes = call.body || call.raw ? await bodies.read(c, reading) : undefined
  const raw = call.raw && bytes
  const sent = call.body && bytes && readJson(bytes)
  // The role may have been revoked while the body arrived.
  const user = arrived && call.body && !whole ? await recheckAccess(deps, arrived, call, getDenialCode(name)) : arrived
  const body = call.body && !CHECKED_BY_FLOW.has(name) ? parseInput(call.body, sent) : sent
  const query = call.query ? parseInput(call.query, c.req.query()) : undefined
  return handler({ deps, user, body, query, raw, params: c.req.param(), limits, c })
}

const getCallSource = ({ deps }: CallContext, c: Ctx): string =>
  getAddressKey(getClientAddress(c, deps.settings.trustedProxies))

/** The handlers of these calls count them, by the contents of the request. */
const COUNTED_BY_HANDLER: ReadonlySet<CallName> = new Set<CallName>(['signIn', 'mailLink', 'pairDevice', 'openWallet'])

const LIMITS: Partial<Record<CallName, LimitName>> = {
  logError: 'logError',
  config: 'visitor',
  event: 'visitor',
  eventExists: 'visitor',
}

/** Strangers' calls that must be answered no matter what other strangers send. */
const KINDS: Partial<Record<CallName, BodyKind>> = {
  signIn: 'signIn',
  mailLink: 'signIn',
  pairDevice: 'pairing',
  logError: 'report',
}
const getBodyKind = (name: CallName, { access, raw }: Call): BodyKind =>
  access === 'anyone' ? (raw ? 'webhook' : (KINDS[name] ?? 'other')) : 'caller'

/** The spec has a separate message for role changes. */
const getDenialCode = (name: CallName) => (name === 'setRole' ? 'ROLES_ADMIN_ONLY' : 'FORBIDDEN')

/**
 * Anonymous calls count against the address, all others against the user. Sign-ins count against the person in the
 * token, in their handler: a venue's phones share one address and must not lock each other out.
 */
async function admitCaller(serving: CallContext, { name, call, c }: Invocation): Promise<AnyCaller | null> {
  const { deps, limits } = serving
  if (call.access === 'anyone') {
    // A signature identifies a provider, a link a phone or a wallet. Others at their address must not lock them out.
    if (!COUNTED_BY_HANDLER.has(name) && !call.raw)
      await limits.count(LIMITS[name] ?? 'address', getCallSource(serving, c))
    return null
  }
  const { user, until } = await authenticateCaller(deps, findBearerToken(c))
  await limits.count('user', user.id)
  c.set('role', user.role)
  c.set('caller', user.id)
  c.set('until', until)
  await requireAccess(deps, user, call, getDenialCode(name))
  return user
}

/**
 * A long list takes time, whatever made it long: to guests and the gate an answer counts once more for each of these.
 */
const ANSWER_BYTES = 64 * 1024

async function chargeSize({ limits }: CallContext, c: Ctx, { headers }: Response): Promise<void> {
  const more = Math.floor(Number(headers.get('Content-Length') ?? 0) / ANSWER_BYTES)
  const { caller, role } = c.var
  if (more > 0 && caller !== undefined && role !== 'admin' && role !== 'manager')
    await limits.charge('user', caller, more)
}

const utf8 = new TextDecoder()

function readJson(body: Uint8Array): unknown {
  const text = utf8.decode(body)
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal('MALFORMED_JSON')
    throw error
  }
}
