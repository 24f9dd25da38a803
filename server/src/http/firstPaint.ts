import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PAGE_COOKIES, PAGE_DATA_ID, type PageData } from '@garba/shared/contracts/pageData'
import { isLanguage } from '@garba/shared/messages/language'
import { phaseOf } from '@garba/shared/rules/evening'
import { getCookie } from 'hono/cookie'
import type { Deps } from '../flows/deps.ts'
import { readEvent } from '../flows/event/readEvent.ts'
import { siteConfig } from '../flows/event/siteConfig.ts'
import { type Asset, makeAsset } from './assets.ts'
import type { Ctx } from './context.ts'
import { scriptSafe, withHead } from './head.ts'

/** The site's components, built into a module that renders an address and its data to HTML. */
type Render = (path: string, data: PageData) => Promise<string>

export interface RenderedPage {
  asset: Asset
  /** Hashes of the page's style element, for the content security policy. */
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
export async function loadFirstPaint(deps: Deps): Promise<((c: Ctx, path: string) => Promise<RenderedPage>) | null> {
  const { clientDir } = deps.settings
  const file = join(clientDir, RENDERER)
  if (!existsSync(file)) return null
  const { render } = (await import(pathToFileURL(file).href)) as { render: Render }
  const shells = { landing: shellOf(clientDir, []), policy: shellOf(clientDir, [POLICY_PAGE]) }
  const kept = new Map<string, { from: string; page: RenderedPage }>()
  return async (c, path) => {
    const data = await dataOf(c, path, deps)
    const key = `${path} ${data.language} ${data.splash}`
    const from = JSON.stringify(data)
    const last = kept.get(key)
    if (last?.from === from) return last.page
    const { template, styles } = path === '/' ? shells.landing : shells.policy
    const root = await render(path, data)
    const body = `<div id="root">${root}</div>\n    <script type="application/json" id="${PAGE_DATA_ID}">${scriptSafe(data)}</script>`
    const html = withHead({
      html: template.replace(ROOT, () => body).replace('<html lang="en">', `<html lang="${data.language}">`),
      event: data.event,
      path,
      publicUrl: deps.publicUrl(),
      title: data.config.eventTitle,
    })
    const page = { asset: makeAsset('/index.html', Buffer.from(html)), styles }
    if (kept.size >= KEPT_PAGES) kept.clear()
    kept.set(key, { from, page })
    return page
  }
}

async function dataOf(c: Ctx, path: string, deps: Deps): Promise<PageData> {
  const language = getCookie(c, PAGE_COOKIES.language)
  const event = await readEvent(deps)
  return {
    config: await siteConfig(deps),
    event,
    language: isLanguage(language) ? language : 'en',
    phase: event === null ? 'before' : phaseOf(event, deps.now().getTime()),
    splash: path === '/' && getCookie(c, PAGE_COOKIES.splash) === undefined,
  }
}

interface Shell {
  template: string
  styles: string[]
}

/**
 * The built page with its own stylesheets, and those of the modules it needs at once, inlined. Its only script is boot,
 * which fetches the others once the page is painted.
 */
function shellOf(clientDir: string, modules: readonly string[]): Shell {
  const html = readFileSync(join(clientDir, SITE), 'utf8')
  const manifest = JSON.parse(readFileSync(join(clientDir, '.vite', 'manifest.json'), 'utf8')) as Manifest
  const boot = manifest[BOOT]?.file
  const chunks = chunksOf(manifest, [SITE, ...modules])
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

/** The modules' files from the build's manifest, each after its imports, with the site's entry last. */
function chunksOf(manifest: Manifest, modules: readonly string[]): Chunk[] {
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
