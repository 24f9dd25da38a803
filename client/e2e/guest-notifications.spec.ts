import type { CDPSession, PlaywrightWorkerArgs, TestInfo } from '@playwright/test'
import { startPushService } from '../../server/src/double/pushService.ts'
import { setEventState } from './support/event.ts'
import { expect, type Page, type TestServer, test, workerReady } from './support/fixtures.ts'
import { GUEST, openDashboard } from './support/guest.ts'
import { ordinaryWindow } from './support/pwa.ts'
import { signOutByMenu } from './support/session.ts'

/** A whole browser whose person has allowed, or not been asked for, notifications. */
async function openWindow(
  { playwright, server }: { playwright: PlaywrightWorkerArgs['playwright']; server: TestServer },
  info: TestInfo,
) {
  const options = {
    serviceWorkers: 'allow',
    permissions: ['notifications'],
    viewport: { width: 1280, height: 800 },
  } as const
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

/** Hands a message to the site's worker, as a push service would. */
async function deliver(devtools: CDPSession, { origin, data }: { origin: string; data: string }) {
  const found = Promise.withResolvers<string>()
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const site = registrations.find(({ scopeURL }) => new URL(scopeURL).pathname === '/')
    if (site) found.resolve(site.registrationId)
  })
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await found.promise, data })
}

const shown = (page: Page) =>
  page.evaluate(async () => {
    const { title, body, lang } = (await (await navigator.serviceWorker.ready).getNotifications())[0] ?? {}
    return { title, body, lang }
  })

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
  const { message } = service.delivered[0] ?? {}
  expect(service.faults).toEqual([])

  const devtools = await page.context().newCDPSession(page)
  await deliver(devtools, { origin: server.url, data: JSON.stringify(message) })
  await expect
    .poll(() => shown(page))
    .toEqual({ title: message?.notification.title, body: message?.notification.body, lang: 'en' })

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
  const notification = { title: 'Garba', body: 'It now starts at 8:00 PM.', navigate: `${server.url}${GUEST}` }
  const devtools = await context.newCDPSession(page)
  await deliver(devtools, { origin: server.url, data: JSON.stringify({ web_push: 8030, notification }) })
  await expect.poll(async () => (await shown(page)).title).toBe('Garba')
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
  expect(await page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).length)).toBe(
    0,
  )

  await page.goto(GUEST)
  await deliver(devtools, { origin: server.url, data: JSON.stringify({ web_push: 8030, notification }) })
  await expect.poll(async () => (await shown(page)).title).toBe('Garba')
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
