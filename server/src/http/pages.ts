import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DEFAULT_EVENT_TITLE } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import {
  isBelowScanner,
  isPage,
  PAGE_COOKIES,
  PAGE_DATA_ID,
  POLICY_PAGES,
  type Policy,
  SCANNER_PAGES,
  SITE_PAGES,
} from '@garba/shared/contracts/site/pages'
import type { PageData } from '@garba/shared/contracts/site/site'
import { SUBTITLE } from '@garba/shared/messages/common'
import { isLanguage, longDay } from '@garba/shared/messages/language'
import { POLICY_TITLES } from '@garba/shared/messages/policies'
import { findOnlineSale, getEventPhase } from '@garba/shared/rules/event/evening'
import { formatRupees } from '@garba/shared/rules/money'
import { findLowestPrice } from '@garba/shared/rules/types/currentPrices'
import type { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Deps } from '../flows/deps.ts'
import { readEventIfPossible } from '../flows/event/readEvent.ts'
import { siteConfig, siteTitle } from '../flows/event/siteConfig.ts'
import { readOfferedEvent } from '../flows/tickets/promoCodes.ts'
import { sendRefusal } from './answer.ts'
import { type Asset, makeAsset, readAssets, sendAsset } from './assets.ts'
import type { Ctx, Env } from './context.ts'
import { contentSecurityPolicy } from './headers.ts'

/** Pages with a first paint from the server. Dashboards have none, because only the browser knows who is signed in. */
const PAINTED: readonly string[] = ['/', ...Object.values(POLICY_PAGES)]
const FILE = /\.[a-z0-9]+$/i

const NOT_BUILT = 'The client is not built yet. Run: npm run build\n'

export function mountPages(app: Hono<Env>, deps: Deps): void {
  const assets = readAssets(deps.settings.clientDir)
  const page = pageMaker(deps, assets.get('/index.html'))
  const painted = painter(deps)
  app.get('*', async (c) => {
    const { path } = c.req
    if (path === '/api' || path.startsWith('/api/')) return sendRefusal(c, 'NOT_FOUND')
    c.set('call', 'page')
    if (isBelowScanner(path)) return send(c, assets.get('/scanner.html'), isPage(SCANNER_PAGES, path) ? 200 : 404)
    if (isPage(PAINTED, path)) return painted(c, path, () => answerPage(c, { path, page }))
    const file = assets.get(path)
    return file ? sendAsset(c, file) : answerPage(c, { path, page })
  })
}

type FallbackPage = () => Promise<Response> | Response

function painter(deps: Deps): (c: Ctx, path: string, bare: FallbackPage) => Promise<Response> {
  const logFailure = (error: unknown) => {
    deps.log.error({ err: error }, 'a page was sent without its first paint')
    return null
  }
  const loading = loadFirstPaint(deps).catch(logFailure)
  return async (c, path, bare) => {
    const firstPaint = await loading
    const page = await firstPaint?.(c, path).catch(logFailure)
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

/** The site's shell with its head filled in. The last page is cached, because most visitors request the same page. */
function pageMaker(deps: Deps, shell: Asset | undefined): (path: string) => Promise<Asset | undefined> {
  let last: { html: string; asset: Asset } | undefined
  const template = shell?.bytes.toString('utf8')
  return async (path) => {
    if (template === undefined) return undefined
    const event = await readEventIfPossible(deps)
    const title = await siteTitle(deps).catch(() => DEFAULT_EVENT_TITLE)
    const html = withHead({ html: template, event, path, publicUrl: deps.publicUrl(), title, language: 'en' })
    if (last?.html !== html) last = { html, asset: makeAsset('/index.html', Buffer.from(html)) }
    return last.asset
  }
}

type Render = (path: string, data: PageData) => Promise<string>

interface RenderedPage {
  asset: Asset
  styles: readonly string[]
}

const ROOT = '<div id="root"></div>'
const STYLESHEET = /^\s*<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>$/gm
const SCRIPTS = /^\s*(?:<script type="module"|<link rel="modulepreload")[^>]*>(?:<\/script>)?\n/gm
/** Boot adds the manifest later, because its icon is larger than the page. */
const MANIFEST = /^\s*<link rel="manifest"[^>]*>\n/m
const NO_SCRIPT = /^\s*<noscript>.*<\/noscript>\n/m
const SITE = 'index.html'
const BOOT = 'src/site/boot.ts'
const POLICY_PAGE = 'src/site/policies/PolicyPage.tsx'
const RENDERER = join('.render', 'render.js')
/** Enough for each address in three languages, with and without the splash. */
const KEPT_PAGES = 60

/**
 * The first paint of `/` and the policy pages, rendered with the current event and inline styles. Null if the
 * build has no renderer; then the bare shell is sent.
 */
async function loadFirstPaint(deps: Deps): Promise<((c: Ctx, path: string) => Promise<RenderedPage>) | null> {
  const { clientDir } = deps.settings
  const file = join(clientDir, RENDERER)
  if (!existsSync(file)) return null
  const { renderSitePage } = (await import(pathToFileURL(file).href)) as { renderSitePage: Render }
  const shells = { landing: buildPageShell(clientDir, []), policy: buildPageShell(clientDir, [POLICY_PAGE]) }
  const kept = new Map<string, { from: string; page: RenderedPage }>()
  return async (c, path) => {
    const data = await readPageData(c, path, deps)
    const key = `${path} ${data.language} ${data.splash}`
    const from = JSON.stringify(data)
    const last = kept.get(key)
    if (last?.from === from) return last.page
    const { template, styles } = path === '/' ? shells.landing : shells.policy
    const root = await renderSitePage(path, data)
    const body = `<div id="root">${root}</div>\n    <script type="application/json" id="${PAGE_DATA_ID}">${scriptSafe(data)}</script>`
    const html = withHead({
      html: template.replace(ROOT, () => body).replace('<html lang="en">', `<html lang="${data.language}">`),
      event: data.event,
      path,
      publicUrl: deps.publicUrl(),
      title: data.config.eventTitle,
      language: data.language,
    })
    const page = { asset: makeAsset('/index.html', Buffer.from(html)), styles }
    if (kept.size >= KEPT_PAGES) kept.clear()
    kept.set(key, { from, page })
    return page
  }
}

async function readPageData(c: Ctx, path: string, deps: Deps): Promise<PageData> {
  const language = getCookie(c, PAGE_COOKIES.language)
  const { data: event } = await readOfferedEvent(deps, undefined)
  return {
    config: await siteConfig(deps),
    event,
    language: isLanguage(language) ? language : 'en',
    phase: event === null ? 'before' : getEventPhase(event, deps.settings.timezone, deps.now().getTime()),
    sale: event === null ? null : findOnlineSale(event, deps.now().getTime()),
    splash: path === '/' && getCookie(c, PAGE_COOKIES.splash) === undefined,
  }
}

interface Shell {
  template: string
  styles: string[]
}

/**
 * The built page with its stylesheets, and those of the modules it needs at once, inlined. Its only script is boot,
 * which fetches the others once the page is painted.
 */
function buildPageShell(clientDir: string, modules: readonly string[]): Shell {
  const html = readFileSync(join(clientDir, SITE), 'utf8')
  const manifest = JSON.parse(readFileSync(join(clientDir, '.vite', 'manifest.json'), 'utf8')) as Manifest
  const boot = manifest[BOOT]?.file
  const chunks = listChunks(manifest, [SITE, ...modules])
  const linked = [...html.matchAll(STYLESHEET)].map(([, name = '']) => name)
  const styles = [...new Set([...linked, ...chunks.flatMap(({ css = [] }) => css)])]
  const css = styles.map((name) => readFileSync(join(clientDir, name), 'utf8')).join('\n')
  const app = chunks.map(({ file }) => `/${file}`).join(' ')
  const script = boot ? `    <script type="module" async src="/${boot}" data-app="${app}"></script>\n` : ''
  // Lazy parts of the page look for these links. Without them they would load the stylesheets again, after all others.
  const links = styles.map((name) => `    <link rel="stylesheet" disabled href="/${name}">\n`).join('')
  const template = html
    .replaceAll(STYLESHEET, '')
    .replace(NO_SCRIPT, '')
    .replaceAll(SCRIPTS, boot ? '' : '$&')
    .replace(MANIFEST, boot ? '' : '$&')
    .replace('</head>', () => `${script}${links}    <style>${css}</style>\n  </head>`)
  return { template, styles: [`'sha256-${createHash('sha256').update(css).digest('base64')}'`] }
}

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}
type Manifest = Record<string, Chunk>

function listChunks(manifest: Manifest, modules: readonly string[]): Chunk[] {
  const found = new Set<Chunk>()
  const add = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || found.has(chunk)) return
    for (const next of chunk.imports ?? []) add(next)
    found.add(chunk)
  }
  for (const name of modules) add(name)
  const entry = manifest[SITE]
  return entry ? [...[...found].filter((chunk) => chunk !== entry), entry] : [...found]
}

const SLOT = /<!--meta-->[\s\S]*?<!--\/meta-->/
const PREVIEW_IMAGE = '/og.jpg'
const DESCRIPTION_MAX = 300

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/** Cut between characters as people see them, never inside an emoji. */
function shortened(text: string): string {
  if (text.length <= DESCRIPTION_MAX) return text
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  return `${letters
    .slice(0, DESCRIPTION_MAX - 1)
    .join('')
    .trimEnd()}…`
}

/** JSON that cannot close the script element around it. */
const scriptSafe = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c')

interface Page {
  html: string
  event: GarbaEvent | null
  path: string
  publicUrl: string
  title: string
  language: string
}

function structuredData(event: GarbaEvent, { publicUrl, title }: Page, image: string): unknown {
  const availability = event.availableTickets > 0 ? 'InStock' : 'SoldOut'
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.name,
    description: event.description,
    startDate: event.startsAt,
    endDate: event.endsAt,
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: { '@type': 'Place', name: event.venue, address: event.venue },
    image: [image],
    organizer: { '@type': 'Organization', name: title, url: publicUrl },
    offers: {
      '@type': 'Offer',
      price: event.ticketPrice,
      priceCurrency: 'INR',
      availability: `https://schema.org/${availability}`,
      url: publicUrl,
      validFrom: event.salesFrom ?? event.createdAt,
    },
  }
}

/** The tab's title as the browser sets it later, so that search engines see it at once. */
function tabTitle({ path, title, language }: Page, landing: string): string {
  if (path === '/') return landing
  const policy = (Object.keys(POLICY_PAGES) as Policy[]).find((name) => isPage([POLICY_PAGES[name]], path))
  return policy ? `${POLICY_TITLES[isLanguage(language) ? language : 'en'][policy]} · ${title}` : title
}

function withHead(page: Page): string {
  const { html, event, path, publicUrl, title: siteTitle } = page
  const title = event ? `${event.name} | ${longDay(event.date, 'en')}` : siteTitle
  const lowest = event && (findLowestPrice(event) ?? Math.min(event.ticketPrice, event.groupPrice4))
  const facts = event && `${event.venue}. Tickets from ${formatRupees(lowest ?? 0)}.`
  const description = shortened(event ? `${SUBTITLE}. ${facts} ${event.description}` : SUBTITLE)
  const image = `${publicUrl}${event?.eventImage ?? PREVIEW_IMAGE}`
  const property = (name: string, content: string) => `<meta property="${name}" content="${escaped(content)}" />`
  const named = (name: string, content: string) => `<meta name="${name}" content="${escaped(content)}" />`
  const lines = [
    `<title>${escaped(tabTitle(page, title))}</title>`,
    named('description', description),
    property('og:type', 'website'),
    property('og:site_name', siteTitle),
    property('og:title', title),
    property('og:description', description),
    property('og:url', `${publicUrl}${path}`),
    property('og:image', image),
    property('og:locale', 'en_IN'),
    named('twitter:card', 'summary_large_image'),
    `<link rel="canonical" href="${escaped(`${publicUrl}${path}`)}" />`,
  ]
  if (event && path === '/')
    lines.push(`<script type="application/ld+json">${scriptSafe(structuredData(event, page, image))}</script>`)
  // A function, because `$` in an event's text has a special meaning in a replacement string.
  return html.replace(SLOT, () => lines.join('\n    '))
}
