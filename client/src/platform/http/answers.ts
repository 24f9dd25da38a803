import { REQUEST_TIMEOUT_MS } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { CallName } from '@garba/shared/contracts/paths'
import type { User } from '@garba/shared/contracts/user'
import pTimeout from 'p-timeout'
import type { AnswerOf } from './call.ts'
import { networkFailure } from './failure.ts'

type Check = (value: unknown) => boolean

const text: Check = (value) => typeof value === 'string'
const number: Check = (value) => typeof value === 'number'
const flag: Check = (value) => typeof value === 'boolean'
const success: Check = (value) => value === true
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
/** Names every field of T, so that a new field of the contract cannot be forgotten. */
const record =
  <T extends object>(fields: Record<keyof T, Check>): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Check>(fields).every(([name, check]) => check((value as Record<string, unknown>)[name]))

const event = record<GarbaEvent>({
  _id: text,
  name: text,
  venue: text,
  description: text,
  date: text,
  startTime: text,
  endTime: text,
  endsNextDay: (value) => value === undefined || flag(value),
  startsAt: text,
  endsAt: text,
  ticketPrice: number,
  groupPrice4: number,
  totalTickets: number,
  availableTickets: number,
  eventImage: orNull(text),
  features: listOf(text),
  aboutText: orNull(text),
  createdAt: text,
  updatedAt: text,
})
const user = record<User>({
  _id: text,
  name: text,
  displayName: text,
  email: text,
  // Any text: a newer server may have roles that this page does not know. They get the screen Invalid Role.
  role: text,
  profilePicture: orNull(text),
  photoURL: orNull(text),
  firebaseUID: text,
  createdAt: text,
  lastLogin: orNull(text),
})
const ok = record<AnswerOf<'logout'>>({ success })
const userAnswer = record<AnswerOf<'me'>>({ success, user })

/**
 * The calls of the landing page and of signing in. Their answers are checked here by hand, because zod does not fit into
 * the landing page's first load.
 */
export const LIGHT: Partial<Record<CallName, Check>> = {
  config: record<AnswerOf<'config'>>({
    success,
    eventTitle: text,
    timezone: text,
    supportEmail: text,
    instagramUrl: text,
    publicUrl: text,
    version: text,
    maxPerOrder: number,
    maxPerPerson: number,
    payments: record<AnswerOf<'config'>['payments']>({
      providers: listOf(text),
      desk: flag,
      upiAtDoor: text,
      holdMinutes: number,
      test: flag,
    }),
    mail: text,
    signIn: listOf(text),
    demo: flag,
    rehearsal: flag,
    demoAccounts: listOf(record<{ uid: string; email: string; name: string }>({ uid: text, email: text, name: text })),
    firebase: record<AnswerOf<'config'>['firebase']>({ projectId: text, apiKey: text, authDomain: text }),
  }),
  event: record<AnswerOf<'event'>>({ success, data: orNull(event) }),
  logError: ok,
  mailLink: ok,
  signIn: record<AnswerOf<'signIn'>>({ success, user, isNewUser: flag }),
  me: userAnswer,
  profile: userAnswer,
  assignAdmin: userAnswer,
  logout: ok,
}

/**
 * Checks an answer against its contract. Throws ApiFailure NETWORK if it does not fit, as for an HTML page, because only a server
 * of another version or an intermediary answers like that. Values may be personal, so the log names only the fields.
 */
export async function readAnswer(name: CallName, body: unknown): Promise<unknown> {
  const light = LIGHT[name]
  if (light) return light(body) ? body : misfit(name, [])
  const { CALLS } = await pTimeout(import('@garba/shared/calls/calls'), { milliseconds: REQUEST_TIMEOUT_MS }).catch(
    (error: unknown) => {
      throw networkFailure(error)
    },
  )
  const call = CALLS[name]
  if (!('answer' in call)) return body
  const result = call.answer.safeParse(body)
  return result.success
    ? result.data
    : misfit(
        name,
        result.error.issues.map(({ path }) => path.join('.')),
      )
}

function misfit(name: CallName, fields: readonly string[]): never {
  console.error(`The answer to ${name} does not fit its contract`, fields)
  throw networkFailure(`The answer to ${name} does not fit its contract`)
}
