import type { BrowserContextOptions, PlaywrightWorkerArgs, TestInfo } from '@playwright/test'
import { startPushService } from '../../../server/src/testing/pushService.ts'
import { setEventState } from '../support/event.ts'
import { expect, type Page, type TestServer, test, workerReady } from '../support/fixtures.ts'
import { GUEST, openDashboard } from '../support/guest.ts'
import { ordinaryWindow } from '../support/pwa.ts'
import { signOutByMenu } from '../support/session.ts'

/** A whole browser whose person allows notifications: the one without windows blocks them for everybody. */
async function openWindow(
  { playwright, server }: { playwright: PlaywrightWorkerArgs['playwright']; server: TestServer },
  info: TestInfo,
) {
  const options: BrowserContextOptions = {
    serviceWorkers: 'allow',
    permissions: ['notifications'],
    viewport: { width: 1280, height: 800 },
  }
  const context = await ordinaryWindow(playwright, info, server.url, options)
  const page = context.pages()[0] ?? (await context.newPage())
  return { context, page }
}

/**
 * Subscribing asks Google's push service, which tests do not reach. So the browser's edge alone is replaced: the page gets a
 * subscription at the double, and keeps it as Chromium would.
 */
async function subscribesAt(page: Page, subscription: { endpoint: string; keys: { p256dh: string; auth: string } }) {
  await page.addInitScript((made) => {
    const KEY = 'test.subscription'
    const known = () => (localStorage.getItem(KEY) === null ? null : buildSubscription())
    const buildSubscription = () => ({
      endpoint: made.endpoint,
      toJSON: () => made,
      unsubscribe: async () => {
        localStorage.removeItem(KEY)
        return true
      },
    })
    Object.assign(PushManager.prototype, {
      getSubscription: async () => known(),
      subscribe: async (options: PushSubscriptionOptionsInit) => {
        if (!/^B[\w-]{86}$/.test(String(options.applicationServerKey))) throw new Error('No key')
        localStorage.setItem(KEY, 'made')
        return buildSubscription()
      },
    })
  }, subscription)
}

interface ShownNotification {
  title?: string
  body?: string
  lang?: string
}

const readShown = (page: Page): Promise<ShownNotification[]> =>
  page.evaluate(async () => {
    const shown = await (await navigator.serviceWorker.ready).getNotifications()
    return shown.map(({ title, body, lang }) => ({ title, body, lang }))
  })

/**
 * Hands a message to the site's worker, as a push service would, until it is shown: Chromium drops one without a word while it
 * still stores a worker that has just begun. The message's tag makes a second one replace the first.
 */
async function deliver(page: Page, message: { notification: ShownNotification }) {
  const devtools = await page.context().newCDPSession(page)
  const found = Promise.withResolvers<string>()
  devtools.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    const active = versions.find(
      ({ status, scriptURL }) => status === 'activated' && scriptURL.endsWith('/sw-guest.js'),
    )
    if (active) found.resolve(active.registrationId)
  })
  await devtools.send('ServiceWorker.enable')
  const pushed = {
    origin: new URL(page.url()).origin,
    registrationId: await found.promise,
    data: JSON.stringify(message),
  }
  await expect
    .poll(async () => {
      await devtools.send('ServiceWorker.deliverPushMessage', pushed)
      return readShown(page)
    })
    .toMatchObject([message.notification].map(({ title, body, lang }) => ({ title, body, lang })))
  await devtools.detach()
}

test('a guest turns notifications on with a press, is told of a delay once, and ends them with the sign-out', async ({
  playwright,
  server,
}, info) => {
  const { context, page } = await openWindow({ playwright, server }, info)
  const service = await startPushService()
  await subscribesAt(page, service.subscribe())
  await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await workerReady(page)
  const turnOn = page.getByRole('button', { name: 'Tell me on this computer' })
  await expect(turnOn).toBeVisible()
  expect(server.rows('select id from push_subscriptions')).toEqual([])
  await turnOn.click()
  await expect(page.getByText('Notifications are on.')).toBeVisible()

  await setEventState(await server.api('admin'), { state: 'delayed', startTime: '20:00', now: true })
  await expect.poll(() => service.delivered.length).toBe(1)
  expect(service.faults).toEqual([])
  for (const { message } of service.delivered) await deliver(page, message)

  await page.reload()
  await expect(page.getByText('Notifications are on.')).toBeVisible()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await expect(turnOn).toBeVisible()
  expect(server.rows('select id from push_subscriptions')).toEqual([])
  await turnOn.click()
  await expect(page.getByText('Notifications are on.')).toBeVisible()
  await signOutByMenu(page)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('test.subscription'))).toBeNull()
  await service.close()
  await context.close()
})

test('a press on a notification brings up the open tab, or opens the guest’s page', async ({
  playwright,
  server,
}, info) => {
  const { context, page } = await openWindow({ playwright, server }, info)
  await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await workerReady(page)
  await page.goto('/privacy-policy')
  const navigate = `${server.url}${GUEST}`
  const notification = { title: 'Garba', body: 'It now starts at 8:00 PM.', lang: 'en', navigate, tag: 'event' }
  await deliver(page, { notification })
  const [worker] = context.serviceWorkers()
  const press = () =>
    worker?.evaluate(async () => {
      const scope = self as unknown as ServiceWorkerGlobalScope
      const [pressed] = await scope.registration.getNotifications()
      const opened: string[] = []
      // A press is the person's; without one Chromium opens and focuses nothing.
      scope.clients.openWindow = async (address) => {
        opened.push(String(address))
        return null
      }
      WindowClient.prototype.focus = async function focus() {
        opened.push(`focus ${new URL(this.url).pathname}`)
        return this
      }
      if (pressed) scope.dispatchEvent(new NotificationEvent('notificationclick', { notification: pressed }))
      await new Promise((resolve) => setTimeout(resolve, 0))
      while (opened.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
      return opened
    })
  expect(await press()).toEqual([`${server.url}${GUEST}`])
  expect(await readShown(page)).toEqual([])

  await page.goto(GUEST)
  await deliver(page, { notification })
  expect(await press()).toEqual([`focus ${GUEST}`])
  await context.close()
})

test('a browser that blocks notifications is said to, and nobody is asked without a press', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' })
    Notification.requestPermission = () => Promise.reject(new Error('Asked without a press'))
    Object.defineProperty(navigator.serviceWorker, 'ready', { value: Promise.resolve({ pushManager: {} }) })
  })
  await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await expect(page.getByText('Notifications are blocked in this browser’s settings.')).toBeVisible()
  await expect(page.getByRole('button', { name: /Tell me/ })).toHaveCount(0)
})
