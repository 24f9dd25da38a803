import { READ_ONLY } from '@garba/shared/messages/codes'
import type { Page, Route } from '@playwright/test'

export const MARK = '**/api/tickets/mark-used'
export const BATCH = '**/api/tickets/mark-used/batch'
/** Everything that a venue's network can stand in the way of. */
export const EVERYTHING = /\/(api|healthz|securetoken\.googleapis\.com|identitytoolkit\.googleapis\.com)(\/|$)/

/** A fault in the way of some calls, for as long as a test wants it. */
export interface Fault {
  /** Calls that met it. */
  met(): number
  /** Lets held requests continue, and all later ones too. */
  end(): Promise<void>
}

async function fault(page: Page, where: string | RegExp, act: (route: Route) => Promise<void>): Promise<Fault> {
  let met = 0
  const handler = async (route: Route) => {
    met += 1
    // A page that has gone in the meantime wants no answer any more.
    await act(route).catch(() => undefined)
  }
  await page.route(where, handler)
  return { met: () => met, end: async () => void (await page.unroute(where, handler)) }
}

/** The question never reaches the server. */
export const cutBefore = (page: Page, where: string | RegExp): Promise<Fault> =>
  fault(page, where, (route) => route.abort('connectionfailed'))

/** The request reaches the server, which acts on it; its answer is lost. */
export const cutAfter = (page: Page, where: string | RegExp): Promise<Fault> =>
  fault(page, where, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })

/** Only the first answer is lost: the request can be sent again. */
export async function cutFirst(page: Page, where: string | RegExp): Promise<Fault> {
  let asked = 0
  return fault(page, where, async (route) => {
    asked += 1
    if (asked > 1) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
}

/** A hotel's or stadium's sign-in page in the place of every answer. */
export const captivePortal = (page: Page): Promise<Fault> =>
  fault(page, EVERYTHING, (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Welcome to our Wi-Fi</h1>' }),
  )

/** Questions wait on the way, until the test lets them go. */
export async function hold(page: Page, where: string | RegExp): Promise<Fault> {
  const released = Promise.withResolvers<void>()
  const held = await fault(page, where, async (route) => {
    await released.promise
    await route.continue()
  })
  return {
    met: held.met,
    end: async () => {
      released.resolve()
      await held.end()
    },
  }
}

/** The desk's code arrives and throws when it is drawn. */
export const brokenDesk = (page: Page): Promise<Fault> =>
  fault(page, '**/assets/DeskDashboard*', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      // The bundler may reach the component through a namespace with a short name of its own.
      body: `const Broken = () => { throw new Error("The test broke it") }
        const all = { default: Broken }
        export { Broken as default, ${[...'abcdefghijklmnopqrstuvwxyz'].map((name) => `all as ${name}`).join(', ')} }`,
    }),
  )

interface Health {
  retention: unknown[]
  backups: unknown
  versions: { app: string }
  readOnly?: string
  refusedMails?: number
}

/** What the server says of its health, changed on its way to the page. */
export const sayHealth = (page: Page, change: (data: Health) => void): Promise<unknown> =>
  page.route('**/api/admin/system/health', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: Health }
    change(body.data)
    await route.fulfill({ response, json: body })
  })

/** The server seems to be read-only: it says so on the desk and refuses every change. */
export async function makeReadOnly(page: Page): Promise<void> {
  const refusal = { success: false, code: 'READ_ONLY', message: READ_ONLY.replaced }
  const isChange = ({ method, url }: { method: string; url: string }) =>
    method !== 'GET' && !/\/api\/(auth|users\/me|tickets\/verify)/.test(url)
  await page.route('**/api/**', (route) =>
    isChange({ method: route.request().method(), url: route.request().url() })
      ? route.fulfill({ status: 503, json: refusal })
      : route.fallback(),
  )
  await sayHealth(page, (data) => {
    data.readOnly = READ_ONLY.replaced
  })
}
