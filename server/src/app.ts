import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { TrieRouter } from 'hono/router/trie-router'
import { keepKeysFresh, keyShelf } from './flows/authenticate.ts'
import { startCallOffRounds } from './flows/cancel/callOff.ts'
import type { Deps } from './flows/deps.ts'
import { startLeaseRounds } from './flows/doorSales/deviceBlocks.ts'
import { offerFreedSeats, startWaitingRounds } from './flows/money/orders/waitingList.ts'
import { startMoneyRounds } from './flows/money/upkeep/keepMoney.ts'
import { keepRetention } from './flows/people/retention.ts'
import { ensurePushKeys } from './flows/push/subscriptions.ts'
import { watchAddress } from './flows/recovery/address.ts'
import { ensureEpoch } from './flows/recovery/epoch.ts'
import { keepBackups } from './flows/recovery/keepBackups.ts'
import { settingsFor } from './flows/recovery/rehearsal.ts'
import { ensureSigningKey } from './flows/signingKeys.ts'
import { startAlarmRounds } from './flows/watch/alarms.ts'
import { isAlive } from './flows/watch/health.ts'
import { answerFailure, sendJson, sendRefusal } from './http/answer.ts'
import { type BodyBounds, makeBodies } from './http/bodies.ts'
import { type Env, requestLog } from './http/context.ts'
import { localDemoOnly, mountEmulatorProxy } from './http/demo.ts'
import { epochHeader, securityHeaders } from './http/headers.ts'
import { type Limits, makeRateLimits } from './http/limits.ts'
import { makeMetrics } from './http/metrics.ts'
import { mountCalls } from './http/mount.ts'
import { mountPages } from './http/pages.ts'
import { routes } from './http/routes/index.ts'
import { publishedKeys } from './identity/publishedKeys.ts'
import { makeVerifier, rememberTokens } from './identity/verifier.ts'
import { makeAlertMailer, makeMailer } from './mail/mailer.ts'
import { makeProviders } from './providers/razorpay.ts'

export interface AppOptions extends Deps {
  limits?: Partial<Limits>
  bodyBounds?: BodyBounds
}

export function createApp({ limits: rates, bodyBounds, ...deps }: AppOptions): Hono<Env> {
  // Hono's own choice ends here too, but only after the first request has made it build and fail with the faster router.
  const app = new Hono<Env>({ router: new TrieRouter() })
  const metrics = makeMetrics(deps)
  app.use(requestLog(deps.log))
  app.use(metrics.measure)
  app.use(securityHeaders(deps.settings))
  for (const path of ['/api/*', '/healthz']) app.use(path, epochHeader(deps.epoch))
  app.use(localDemoOnly(deps.settings))
  app.use('/api/*', compress({ contentTypeFilter: /^application\/json|^text\/csv/ }))
  app.onError(answerFailure(deps.log))
  app.notFound((c) => sendRefusal(c, 'NOT_FOUND'))

  const serving = { deps, limits: makeRateLimits(rates, deps.store), bodies: makeBodies(bodyBounds) }
  mountCalls(app, { ...serving, routes })
  app.get('/healthz', async (c) => {
    c.set('call', 'healthz')
    return sendJson(c, { success: true, ...(await isAlive(deps)) })
  })
  metrics.mount(app)
  mountEmulatorProxy(app, serving)
  mountPages(app, deps)
  return app
}

type OpenAppOptions = Pick<AppOptions, 'store' | 'settings' | 'publicUrl' | 'log' | 'stopping' | 'limits'> & {
  /** The address of the identity provider's public keys; Google's by default. */
  keysAddress?: string
}

interface OpenApp {
  app: Hono<Env>
  /** Call it once the server listens: it begins the background work. */
  listening: () => void
  idle: () => Promise<void>
}

export async function openApp({ keysAddress, ...given }: OpenAppOptions): Promise<OpenApp> {
  const now = () => new Date()
  const { store, log, stopping } = given
  const settings = await settingsFor(given)
  const epoch = await ensureEpoch({ store, log })
  const { firebase, emulatorHost, demo } = settings
  const keys = publishedKeys({ address: keysAddress, shelf: keyShelf({ store }), now, log })
  // A demo's tokens are unsigned, so it needs no keys and makes no outside requests.
  if (!demo) keepKeysFresh(keys, stopping)
  const deps = offerFreedSeats({
    ...given,
    settings,
    store: epoch.guard(store),
    epoch,
    now,
    providers: makeProviders(settings.payments, { now }),
    mailer: makeMailer(settings),
    verify: rememberTokens(makeVerifier({ projectId: firebase.projectId, emulatorHost, now, keys: keys.find }), now),
    signer: await ensureSigningKey({ store, now }),
  })
  await ensurePushKeys({ store })
  let work: (() => Promise<void>)[] = []
  // A server whose port is taken must not send the mails and refunds of the server that has it.
  const listening = () => {
    const address = watchAddress(deps)
    address.begin()
    work = [
      address.idle,
      keepRetention(deps),
      startMoneyRounds(deps),
      startWaitingRounds(deps),
      startCallOffRounds(deps),
      keepBackups(deps),
      startLeaseRounds(deps),
      startAlarmRounds({ ...deps, alerts: makeAlertMailer(settings) }),
    ]
  }
  const idle = async () => {
    for (const done of work) await done()
  }
  return { app: createApp(deps), listening, idle }
}
