import { SIGN_IN } from '@garba/shared/messages/common'
import type { Translation } from '@garba/shared/messages/language'

type Words = Translation<typeof SIGN_IN>

export type SignInFailure =
  | 'cancelled'
  | 'popupBlocked'
  | 'network'
  | 'tooManyAttempts'
  | 'failed'
  | 'occurred'
  | 'server'
  | OwnRefusal

type OwnRefusal = keyof Words['refused']

const OWN: Record<string, OwnRefusal> = {
  EMAIL_UNVERIFIED: 'emailUnverified',
  PROVIDER_NOT_GOOGLE: 'notGoogle',
  REHEARSAL_CREW_ONLY: 'crewOnly',
}

export const isAccountRefused = (code: string): boolean => code in OWN

const BY_CODE: Record<string, SignInFailure> = {
  'auth/popup-closed-by-user': 'cancelled',
  'auth/cancelled-popup-request': 'cancelled',
  'auth/user-cancelled': 'cancelled',
  'auth/popup-blocked': 'popupBlocked',
  'popup-blank': 'popupBlocked',
  'auth/network-request-failed': 'network',
  'auth/timeout': 'network',
  NETWORK: 'network',
  'auth/too-many-requests': 'tooManyAttempts',
  RATE_LIMITED: 'tooManyAttempts',
  'auth/internal-error': 'occurred',
  ...OWN,
}

/** Classifies an error of the provider or of the sign-in call. (Spec: Messages.) */
export function classifySignInError(error: unknown): SignInFailure {
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'IdentityUnreachable') return 'network'
  if ('status' in error && Number(error.status) >= 500) return 'server'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return BY_CODE[code] ?? 'failed'
}

const isOurs = (kind: SignInFailure): kind is OwnRefusal => kind in SIGN_IN.refused

/** The banner's text. The spec has general texts for the banner, and more specific texts for the button. */
export function bannerText(kind: SignInFailure, words: Words = SIGN_IN): string {
  if (isOurs(kind)) return words.refused[kind]
  return kind === 'network' || kind === 'tooManyAttempts' ? words.failed : words[kind]
}

export function buttonText(kind: SignInFailure, words: Words = SIGN_IN): string {
  if (isOurs(kind)) return words.refused[kind]
  return kind === 'server' ? words.server : words.button[kind === 'occurred' ? 'failed' : kind]
}
