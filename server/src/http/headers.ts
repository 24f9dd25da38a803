import { EPOCH_HEADER } from '@garba/shared/constants'
import { createMiddleware } from 'hono/factory'
import type { Settings } from '../config.ts'
import type { Epoch } from '../flows/recovery/epoch.ts'
import type { Env } from './context.ts'

/**
 * No inline scripts, and no style elements except those whose hashes are in `styles`. zxing-wasm needs
 * wasm-unsafe-eval; toasts and dialogs set style attributes; QR codes and image previews are data URLs; profile photos
 * come from Google's host (rules/photo); Google sign-in loads apis.google.com and frames the Firebase auth domain.
 */
export function contentSecurityPolicy({ demo, firebase }: Settings, styles: readonly string[] = []): string {
  const google = demo ? '' : ' https://apis.google.com'
  const identity = demo
    ? ''
    : ' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com https://www.googleapis.com https://apis.google.com'
  return [
    "default-src 'self'",
    `script-src 'self' 'wasm-unsafe-eval'${google}`,
    "style-src 'self'",
    `style-src-elem ${["'self'", ...styles].join(' ')}`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data:${demo ? '' : ' https://googleusercontent.com https://*.googleusercontent.com'}`,
    "font-src 'self'",
    "media-src 'self'",
    `connect-src 'self'${identity}`,
    `frame-src 'self'${demo ? '' : ` https://${firebase.authDomain} https://accounts.google.com`}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The headers of every response. Firebase's popup needs these COOP and referrer policies. */
export function securityHeaders(settings: Settings) {
  const headers: Record<string, string> = {
    'Content-Security-Policy': contentSecurityPolicy(settings),
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Permissions-Policy':
      'camera=(self), fullscreen=(self), screen-wake-lock=(self), microphone=(), geolocation=(), payment=()',
    ...(settings.publicUrl?.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  }
  // Set before the response exists, because setting a header on a finished response copies it. Handlers may override.
  return createMiddleware<Env>(async (c, next) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    c.header('Cache-Control', 'no-store')
    await next()
  })
}

export const epochHeader = ({ number }: Epoch) =>
  createMiddleware<Env>(async (c, next) => {
    // Set before the response exists, as above.
    c.header(EPOCH_HEADER, String(number))
    await next()
  })
