import type { BrowserContext } from '@playwright/test'

/** A server's settings with which people sign in at Google itself instead of the emulator. */
export const GOOGLE_SIGNS_IN = {
  FIREBASE_PROJECT_ID: 'garba-live',
  FIREBASE_API_KEY: 'live-key',
  FIREBASE_AUTH_DOMAIN: 'garba-live.firebaseapp.com',
  PAYMENTS: 'none',
  SIGN_IN: 'google,email',
  FIREBASE_AUTH_EMULATOR_HOST: '',
}

/**
 * Google's side of a popup sign-in, for tests that may not reach it: the script the SDK loads, the hidden frame it talks
 * to, the popup's page and the exchange of its result for a user.
 */
export async function pretendGoogle(
  context: BrowserContext,
  user: { email: string; displayName: string },
): Promise<void> {
  await context.route('https://apis.google.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `(${frames.toString()})()` }),
  )
  await context.route('https://*.firebaseapp.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Choose an account</title>' }),
  )
  const identity = { localId: 'google-uid', emailVerified: true, ...user }
  const claims = { sub: identity.localId, user_id: identity.localId, exp: Math.floor(Date.now() / 1000) + 3600 }
  const idToken = ['{"alg":"none"}', JSON.stringify(claims), '']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')
  await context.route('https://identitytoolkit.googleapis.com/**', (route) => {
    const path = new URL(route.request().url()).pathname
    if (path.endsWith('/projects')) return route.fulfill({ json: { authorizedDomains: ['localhost'] } })
    if (path.endsWith(':lookup')) return route.fulfill({ json: { users: [identity] } })
    return route.fulfill({
      json: { ...identity, idToken, refreshToken: 'r', expiresIn: '3600', providerId: 'google.com' },
    })
  })
}

/** Runs in the page in the place of Google's script: frames that are ready at once, and the way to answer through them. */
function frames(): void {
  const page = window as unknown as Record<string, unknown>
  const frame = {
    restyle: async () => undefined,
    ping: async (ready: () => void) => ready(),
    register: (_name: string, answer: unknown) => {
      page.googleAnswers = answer
    },
    // Answers asynchronously, like a frame. The SDK throws after the answer, where nobody catches it.
    send: (_type: string, _message: unknown, respond: (answer: unknown) => void) =>
      setTimeout(respond, 0, [{ webStorageSupport: true }]),
  }
  page.gapi = {
    load: (_name: string, { callback }: { callback: () => void }) => callback(),
    iframes: {
      Iframe: class {},
      CROSS_ORIGIN_IFRAMES_FILTER: {},
      getContext: () => ({ open: (_options: unknown, opened: (open: unknown) => unknown) => opened(frame) }),
    },
  }
  const source = (document.currentScript as HTMLScriptElement | null)?.src ?? location.href
  const ready = page[new URL(source).searchParams.get('onload') ?? '']
  if (typeof ready === 'function') ready()
}
