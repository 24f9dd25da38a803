import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PAGE_COOKIES, PAGE_DATA_ID, type PageData } from '@garba/shared/contracts/pageData'
import { isLanguage } from '@garba/shared/messages/language'
import { getCookie } from 'hono/cookie'
import type { Deps } from '../flows/deps.ts'
import { readEvent } from '../flows/readEvent.ts'
import { siteConfig } from '../flows/siteConfig.ts'
import { type Asset, makeAsset } from './assets.ts'
import type { Ctx } from './context.ts'
import { scriptSafe, withHead } from './head.ts'

/** The site's own components, built into a module that turns an address and its data into HTML. */
type Render = (path: string, data: PageData) => Promise<string>

export interface RenderedPage {
  asset: Asset
  /** Hashes of the page's own style element, for the content security policy. */
  styles: readonly string[]
}

const ROOT = '<div id="root"></div>'
const STYLESHEET = /^\s*<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>$/gm
const NO_SCRIPT = /^\s*<noscript>.*<\/noscript>\n/m
const POLICY_PAGE = 'src/site/policies/PolicyPage.tsx'
const RENDERER = join('.render', 'render.js')
/** Each address in three languages, with and without the splash. */
const KEPT_PAGES = 60

/**
 * The first paint of `/` and the policy pages, rendered here from the event as it is now, with the styles it needs inside
 * (DECISIONS 9). null without a build that has a renderer; then the bare shell is sent.
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
      settings: deps.settings,
    })
    const page = { asset: makeAsset('/index.html', Buffer.from(html)), styles }
    if (kept.size >= KEPT_PAGES) kept.clear()
    kept.set(key, { from, page })
    return page
  }
}

async function dataOf(c: Ctx, path: string, deps: Deps): Promise<PageData> {
  const language = getCookie(c, PAGE_COOKIES.language)
  return {
    config: siteConfig(deps),
    event: await readEvent(deps),
    language: isLanguage(language) ? language : 'en',
    splash: path === '/' && getCookie(c, PAGE_COOKIES.splash) === undefined,
  }
}

interface Shell {
  template: string
  styles: string[]
}

/** The built page with its stylesheets, and those of modules it will need at once, written into it. */
function shellOf(clientDir: string, modules: readonly string[]): Shell {
  const html = readFileSync(join(clientDir, 'index.html'), 'utf8')
  const linked = [...html.matchAll(STYLESHEET)].map(([, name = '']) => name)
  const late = lateFilesOf(clientDir, modules)
  const css = [...linked, ...late.css].map((name) => readFileSync(join(clientDir, name), 'utf8')).join('\n')
  const preloads = late.js.map((name) => `    <link rel="modulepreload" crossorigin href="/${name}">\n`).join('')
  // The late parts of the page look for these links before they fetch a stylesheet again, which would then come last.
  const links = [...linked, ...late.css]
    .map((name) => `    <link rel="stylesheet" disabled href="/${name}">\n`)
    .join('')
  const template = html
    .replaceAll(STYLESHEET, '')
    .replace(NO_SCRIPT, '')
    .replace('</head>', () => `${preloads}${links}    <style>${css}</style>\n  </head>`)
  return { template, styles: [`'sha256-${createHash('sha256').update(css).digest('base64')}'`] }
}

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}

/** The files of modules that the page loads late, by the build's own manifest. */
function lateFilesOf(clientDir: string, modules: readonly string[]): { css: string[]; js: string[] } {
  if (modules.length === 0) return { css: [], js: [] }
  const manifest = JSON.parse(readFileSync(join(clientDir, '.vite', 'manifest.json'), 'utf8')) as Record<string, Chunk>
  const entry = manifest['index.html']
  const known = new Set(entry ? [entry.file, ...filesOf(manifest, entry).map(({ file }) => file)] : [])
  const chunks = modules.flatMap((name) => {
    const chunk = manifest[name]
    return chunk ? [chunk, ...filesOf(manifest, chunk)] : []
  })
  const added = chunks.filter(({ file }) => !known.has(file))
  return { css: [...new Set(added.flatMap(({ css = [] }) => css))], js: [...new Set(added.map(({ file }) => file))] }
}

function filesOf(manifest: Record<string, Chunk>, chunk: Chunk, seen = new Set<string>()): Chunk[] {
  return (chunk.imports ?? []).flatMap((name) => {
    const next = manifest[name]
    if (!next || seen.has(name)) return []
    seen.add(name)
    return [next, ...filesOf(manifest, next, seen)]
  })
}
