import { describe, expect, test } from 'vitest'
import { networkFailure, toApiFailure } from '../http/failure.ts'
import { IdentityUnreachable } from '../http/tokens.ts'
import { bannerText, buttonText, classifySignInError } from './signInFailure.ts'

const failed = (code: string) => Object.assign(new Error(code), { code })

describe('what a failed sign-in says', () => {
  test.each([
    ['auth/popup-closed-by-user', 'Sign-in was cancelled.', 'Sign-in cancelled. Please try again.'],
    ['auth/cancelled-popup-request', 'Sign-in was cancelled.', 'Sign-in cancelled. Please try again.'],
    [
      'auth/popup-blocked',
      'Pop-up was blocked. Please allow pop-ups for this site.',
      'Pop-up blocked. Please allow pop-ups and try again.',
    ],
    [
      'auth/network-request-failed',
      'Sign-in failed. Please try again.',
      'Network error. Please check your connection.',
    ],
    ['auth/too-many-requests', 'Sign-in failed. Please try again.', 'Too many attempts. Please wait and try again.'],
    ['auth/user-disabled', 'Sign-in failed. Please try again.', 'Authentication failed. Please try again.'],
    ['auth/internal-error', 'Authentication error occurred.', 'Authentication failed. Please try again.'],
  ])('%s', (code, banner, button) => {
    const kind = classifySignInError(failed(code))
    expect(bannerText(kind)).toBe(banner)
    expect(buttonText(kind)).toBe(button)
  })
  test.each([
    ['EMAIL_UNVERIFIED', /not verified\. Verify it with Google/],
    ['PROVIDER_NOT_GOOGLE', /Google account/],
  ])('our server refusing the account itself (%s), the same in both places', (code, words) => {
    const kind = classifySignInError(toApiFailure({ status: 403, body: { success: false, code, message: 'x' } }))
    expect(bannerText(kind)).toMatch(words)
    expect(buttonText(kind)).toBe(bannerText(kind))
  })

  test('our server or the provider out of reach', () => {
    expect(classifySignInError(networkFailure())).toBe('network')
    expect(classifySignInError(new IdentityUnreachable('away'))).toBe('network')
    expect(classifySignInError('nothing known')).toBe('failed')
  })
})
