import { DEFAULT_EVENT_TITLE } from '@garba/shared/constants'
import { isBelowScanner, isPage, POLICY_PAGES, SCANNER_PAGES, SITE_PAGES } from '@garba/shared/contracts/pages'
import type { Hono } from 'hono'
import type { Deps } from '../flows/deps.ts'
import { readEventIfPossible } from '../flows/event/readEvent.ts'
import { siteTitle } from '../flows/event/siteConfig.ts'
import { refuse } from './answer.ts'
import { type Asset, makeAsset, readAssets, sendAsset } from './assets.ts'
import type { Ctx, Env } from './context.ts'
import { loadFirstPaint } from './firstPaint.ts'
import { withHead } from './head.ts'
import { contentSecurityPolicy } from './headers.ts'

/** Pages with a first paint from the server. Dashboards have none, because only the browser knows who is signed in. */
const PAINTED: readonly string[] = ['/', ...Object.values(POLICY_PAGES)]
const FILE = /\.[a-z0-9]+$/i

const NOT_BUILT = 'The client is not built yet. Run: npm run build\n'

/** Serves the built client: files, the scanner's shell below its address, and the site's shell for everything else. */
export function mountPages(app: Hono<Env>, deps: Deps): void {
  const assets = readAssets(deps.settings.clientDir)
  const page = pageMaker(deps, assets.get('/index.html'))
  const painted = painter(deps)
  app.get('*', async (c) => {
    const { path } = c.req
    if (path === '/api' || path.startsWith('/api/')) return refuse(c, 'NOT_FOUND')
    c.set('call', 'page')
    if (isBelowScanner(path)) return send(c, assets.get('/scanner.html'), isPage(SCANNER_PAGES, path) ? 200 : 404)
    if (isPage(PAINTED, path)) return painted(c, path, () => answerPage(c, { path, page }))
    const file = assets.get(path)
    return file ? sendAsset(c, file) : answerPage(c, { path, page })
  })
}

type Bare = () => Promise<Response> | Response

/** Sends a page with its first paint, or the `bare` page if it cannot be rendered. */
function painter(deps: Deps): (c: Ctx, path: string, bare: Bare) => Promise<Response> {
  const note = (error: unknown) => {
    deps.log.error({ err: error }, 'a page was sent without its first paint')
    return null
  }
  const loading = loadFirstPaint(deps).catch(note)
  return async (c, path, bare) => {
    const firstPaint = await loading
    const page = await firstPaint?.(c, path).catch(note)
    if (!page) return bare()
    c.header('Content-Security-Policy', contentSecurityPolicy(deps.settings, page.styles))
    return sendAsset(c, page.asset)
  }
}

async function answerPage(
  c: Ctx,
  { path, page }: { path: string; page: (path: string) => Promise<Asset | undefined> },
): Promise<Response> {
  const known = isPage(SITE_PAGES, path)
  if (!known && FILE.test(path)) return c.text('Not found\n', 404)
  return send(c, await page(known ? path : '/'), known ? 200 : 404)
}

const send = (c: Ctx, asset: Asset | undefined, status: 200 | 404 = 200): Promise<Response> | Response =>
  asset ? sendAsset(c, asset, status) : c.text(NOT_BUILT, 503)

/** The site's shell with its head filled in. The last one is cached, because most visitors request the same page. */
function pageMaker(deps: Deps, shell: Asset | undefined): (path: string) => Promise<Asset | undefined> {
  let last: { html: string; asset: Asset } | undefined
  const template = shell?.bytes.toString('utf8')
  return async (path) => {
    if (template === undefined) return undefined
    const event = await readEventIfPossible(deps)
    const title = await siteTitle(deps).catch(() => DEFAULT_EVENT_TITLE)
    const html = withHead({ html: template, event, path, publicUrl: deps.publicUrl(), title })
    if (last?.html !== html) last = { html, asset: makeAsset('/index.html', Buffer.from(html)) }
    return last.asset
  }
}
