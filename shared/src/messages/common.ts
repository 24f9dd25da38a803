import { TICKET_ID_SHOWN } from '../constants.ts'
import type { Role } from '../contracts/names.ts'

export const SUBTITLE = 'Pre-Navratri Grand Celebration'

export const SCREENS = {
  loadingDashboard: 'Loading Dashboard...',
  redirecting: 'Redirecting...',
  signingOut: 'Signing out...',
  crash: {
    title: 'Oops! Something went wrong',
    detail: 'The page ran into an error it could not recover from. The error has been reported.',
    action: 'Refresh Page',
  },
  invalidRole: {
    title: 'Invalid Role',
    detail: 'Your account role is not recognised. Please contact support.',
    action: 'Go to Home',
  },
  imageUnavailable: 'Image not available',
} as const

/** Messages for a failed call. The spec fixes them. */
export const TRANSPORT = {
  server: 'Server error. Please try again later.',
  requestFailed: (status: number) => `Request failed (${status})`,
  noResponse: 'Network error. Please check your connection and try again.',
  unexpected: 'An unexpected error occurred.',
} as const

/** Messages for a failed sign-in, in the banner and beside the sign-in button. The spec fixes them. */
export const SIGN_IN = {
  failed: 'Sign-in failed. Please try again.',
  cancelled: 'Sign-in was cancelled.',
  popupBlocked: 'Pop-up was blocked. Please allow pop-ups for this site.',
  occurred: 'Authentication error occurred.',
  server: TRANSPORT.server,
  bannerTitle: 'Authentication Error',
  button: {
    cancelled: 'Sign-in cancelled. Please try again.',
    popupBlocked: 'Pop-up blocked. Please allow pop-ups and try again.',
    network: 'Network error. Please check your connection.',
    tooManyAttempts: 'Too many attempts. Please wait and try again.',
    failed: 'Authentication failed. Please try again.',
  },
  /** Ours, in the banner and at the button: the account itself must change first. */
  refused: {
    emailUnverified: 'Your email address is not verified. Verify it with Google, then sign in again.',
    notGoogle: 'Please sign in with a Google account.',
    crewOnly:
      'This is a rehearsal, and only the crew can sign in. If you belong to it, ask an organiser for a role on the real site and a new rehearsal.',
  },
} as const

/** The mark on everything that a rehearsal shows or prints, in capitals and the same in every language. */
export const REHEARSAL = {
  mark: 'REHEARSAL',
  note: 'This is a rehearsal. Its tickets admit nobody on the evening.',
} as const

export const SHELL = {
  signInWithGoogle: 'Sign In with Google',
  signOut: 'Sign Out',
  demoNote: 'This is a demo: no payment is taken and no ticket is real.',
} as const

const textIn = (body: unknown, field: 'code' | 'message' | 'error'): string => {
  const value: unknown =
    typeof body === 'object' && body !== null ? (body as Partial<Record<typeof field, unknown>>)[field] : undefined
  return typeof value === 'string' ? value.trim() : ''
}

/**
 * The sentence for a response with HTTP status 400 or above; `body` is its JSON, or anything else that arrived. From
 * 500 on, the server's text is shown only if it explains why the server is read-only. Other responses show their
 * message or error field, or else the status.
 */
export function failedAnswerText({ status, body }: { status: number; body: unknown }): string {
  if (status >= 500 && textIn(body, 'code') !== 'READ_ONLY') return TRANSPORT.server
  return textIn(body, 'message') || textIn(body, 'error') || TRANSPORT.requestFailed(status)
}

export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  guest: 'Guest',
  admin: 'Admin',
  manager: 'Manager',
  qrchecker: 'QR Checker',
}

export const shortenTicketId = (ticketId: string): string => ticketId.slice(-TICKET_ID_SHOWN)

export const ticketTail = (ticketId: string): string => `…${shortenTicketId(ticketId)}`
