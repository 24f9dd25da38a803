import { isBelowScanner } from '@garba/shared/contracts/site/pages'
import type { Plugin, Rolldown } from 'vite'

interface Build {
  getModuleInfo(id: string): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null
}

const PAGES = { guest: 'site/main.tsx', scanner: 'scanner/main.tsx' }
/** What is loaded together after a page has started. */
const STARTS = {
  guest: ['site/Dashboards.tsx', 'guest/GuestDashboard.tsx', 'guest/data/stored.ts', 'kit/Toaster.tsx'],
  scanner: ['scanner/ScannerApp.tsx', 'kit/Toaster.tsx'],
  // Not the views with charts, which weigh more than all the rest.
  desk: [
    ...['site/Dashboards.tsx', 'kit/Toaster.tsx', 'desk/DeskDashboard.tsx', 'desk/home/AdminHome.tsx'],
    ...['desk/home/ManagerHome.tsx', 'desk/tickets/TicketsView.tsx', 'desk/users/UsersView.tsx'],
    ...['desk/event/EventManager.tsx', 'desk/audit/AuditView.tsx', 'site/frame/UserMenu.tsx'],
  ],
  sections: ['site/landing/sections/Sections.tsx'],
  identity: ['platform/identity/lifecycle.ts', 'platform/identity/device.ts'],
  contracts: ['../../shared/src/calls/calls.ts'],
}
const NAMES = Object.keys(STARTS) as (keyof typeof STARTS)[]

/**
 * Puts modules that the same starts need into one file, instead of a hundred small ones that cost a request each. A file takes
 * along what its modules import, so the modules that most need come first. No shell loads what only another needs, now or later.
 */
export function buildChunkGroups(inSource: (path: string) => string) {
  let needs: ReturnType<typeof findNeeds> | undefined
  const needsIn = (build: Build) => {
    needs ??= findNeeds(inSource, build)
    return needs
  }
  const initial = (file: string, priority: number, isIn: (id: string, build: Build) => boolean) => ({
    name: (id: string, build: Build) => (isIn(id, build) ? file : null),
    tags: ['$initial' as const],
    priority,
  })
  return [
    initial('first', 30, (id, build) => needsIn(build).isOfBothPages(id)),
    initial('page', 29, (id, build) => needsIn(build).isOfSite(id)),
    // Every screen reaches all icons through the package's index; the icons in use weigh little.
    { name: 'icons', test: /lucide-react/, priority: 28 },
    ...Array.from({ length: 2 * NAMES.length }, (_, rank) => ({
      name: (id: string, build: Build) => needsIn(build).nameOfRank(id, rank + 1),
      priority: rank + 1,
    })),
  ]
}

function findNeeds(inSource: (path: string) => string, build: Build) {
  const from = (paths: readonly string[], later: (id: string) => boolean = () => false): ReadonlySet<string> => {
    const found = new Set(paths.map(inSource))
    for (const id of found) {
      const info = build.getModuleInfo(id)
      for (const next of info?.importedIds ?? []) found.add(next)
      for (const next of info?.dynamicallyImportedIds ?? []) if (later(next)) found.add(next)
    }
    return found
  }
  const entries = new Set(Object.values(PAGES).map(inSource))
  const site = from([PAGES.guest])
  const soon = NAMES.map((name) => from(STARTS[name]))
  const isDesk = (id: string) => id.startsWith(inSource('desk/'))
  const ever: Partial<Record<keyof typeof STARTS, ReadonlySet<string>>> = {
    guest: from([PAGES.guest], (id) => !isDesk(id)),
    scanner: from([PAGES.scanner], () => true),
    desk: from(STARTS.desk, isDesk),
  }
  return {
    isOfBothPages: (id: string) => !entries.has(id) && site.has(id) && ever.scanner?.has(id) === true,
    isOfSite: (id: string) => !entries.has(id) && site.has(id),
    nameOfRank: (id: string, rank: number): string | null => {
      if (entries.has(id) || !soon.some((modules) => modules.has(id))) return null
      const now = NAMES.filter((_, n) => soon[n]?.has(id))
      const later = NAMES.filter((name, n) => !soon[n]?.has(id) && ever[name]?.has(id))
      if (2 * now.length + later.length !== rank) return null
      return later.length === 0 && now.length === 1 ? `${now[0]}App` : [...now, ...later].join('-')
    },
  }
}

type Shell = 'site' | 'scanner'

const OWN_STATICS: Record<Shell, RegExp> = {
  site: /^(index\.html|icons\/(favicon\.svg|guest-192\.png))$/,
  scanner: /^(scanner\.html|icons\/(favicon\.svg|scanner-192\.png))$/,
}
/** The desk works online only, so no worker keeps it (one precache per installed app). */
const ONLINE_ONLY = /\/src\/desk\//

/** Letters that most phones never need; the workers keep them once a page has used them. */
const FONTS_ON_DEMAND = /-(latin|latin-ext|gujarati|devanagari)-[^/]*\.woff2$/

let filesOf: Record<Shell, Set<string>> = { site: new Set(), scanner: new Set() }

export function trackShells(): Plugin {
  return {
    name: 'garba:track-shells',
    apply: 'build',
    writeBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.entries(bundle)
        if (!files.some(([, file]) => file.type === 'chunk' && file.isEntry && file.name === 'site')) return
        filesOf = {
          site: new Set([...reachable(bundle, 'site'), ...reachable(bundle, 'boot')]),
          scanner: reachable(bundle, 'scanner'),
        }
      },
    },
  }
}

function reachable(bundle: Rolldown.OutputBundle, entry: Shell | 'boot'): Set<string> {
  const start = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry && file.name === entry)
  if (!start) throw new Error(`The build has no entry named ${entry}`)
  const found = new Set<string>([start.fileName])
  for (const name of found) {
    const file = bundle[name]
    if (!file) continue
    for (const next of namedBy(file, bundle)) found.add(next)
  }
  return found
}

function namedBy(file: Rolldown.OutputChunk | Rolldown.OutputAsset, bundle: Rolldown.OutputBundle): string[] {
  const lazy = file.type === 'chunk' ? file.dynamicImports.filter((name) => !isOnlineOnly(bundle[name])) : []
  const direct = file.type === 'chunk' ? file.imports : []
  return [...direct, ...lazy, ...listStyles(file), ...assetsIn(getFileText(file), bundle)]
}

const isOnlineOnly = (file: Rolldown.OutputChunk | Rolldown.OutputAsset | undefined) =>
  file?.type === 'chunk' && ONLINE_ONLY.test(file.facadeModuleId ?? '')

function listStyles(file: Rolldown.OutputChunk | Rolldown.OutputAsset): string[] {
  const meta =
    file.type === 'chunk' ? (file as { viteMetadata?: { importedCss?: Set<string> } }).viteMetadata : undefined
  return [...(meta?.importedCss ?? [])]
}

const getFileText = (file: Rolldown.OutputChunk | Rolldown.OutputAsset): string => {
  if (file.type === 'chunk') return file.code
  return typeof file.source === 'string'
    ? file.source
    : /\.(js|css)$/.test(file.fileName)
      ? new TextDecoder().decode(file.source)
      : ''
}

/** Assets (not chunks: those are followed by import, so that a lazy desk stays out) whose hashed name occurs in the text. */
function assetsIn(text: string, bundle: Rolldown.OutputBundle): string[] {
  return Object.values(bundle)
    .filter((file) => file.type === 'asset' && !/\.(html|css)$/.test(file.fileName))
    .map((file) => file.fileName)
    .filter((name) => text.includes(name.slice(name.lastIndexOf('/') + 1)))
}

export const buildPrecacheFilter =
  (shell: Shell) =>
  <E extends { url: string }>(entries: E[]): { manifest: E[]; warnings: string[] } => ({
    manifest: entries.filter(
      ({ url }) => OWN_STATICS[shell].test(url) || (filesOf[shell].has(url) && !FONTS_ON_DEMAND.test(url)),
    ),
    warnings: [],
  })

/** `npm run dev`: the scanner shell answers below its own address, as the server does with the built files. */
export function scannerAtItsAddress(): Plugin {
  return {
    name: 'garba:scanner-at-its-address',
    apply: 'serve',
    configureServer(dev) {
      dev.middlewares.use((request, _response, next) => {
        const path = (request.url ?? '').split('?')[0] ?? ''
        if (isBelowScanner(path)) request.url = '/scanner.html'
        next()
      })
    },
  }
}

const INSERTED_STYLES = /__insertCSS\("(?:[^"\\]|\\.)*"\);?/

/**
 * sonner puts its styles into the page as an element when it is loaded, which the content security policy forbids. They
 * come from its stylesheet instead (kit/Toaster).
 */
export function styleElementsOut(): Plugin {
  return {
    name: 'garba:style-elements-out',
    transform(code, id) {
      if (!/[\\/]sonner[\\/]dist[\\/]index\.mjs/.test(id)) return null
      if (!INSERTED_STYLES.test(code))
        throw new Error('sonner no longer inserts its styles as it did: see styleElementsOut')
      return { code: code.replace(INSERTED_STYLES, ''), map: null }
    },
  }
}

const SITE_SCRIPT = /<script type="module" crossorigin src="([^"]+)"><\/script>/

/** The site's page starts the app with site/boot.ts, and fetches it at once. */
export function bootFirst(): Plugin {
  return {
    name: 'garba:boot-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, path }) {
        if (path !== '/index.html') return html
        const first = Object.values(bundle ?? {}).find((file) => file.type === 'chunk' && file.name === 'boot')
        if (!first || !SITE_SCRIPT.test(html)) throw new Error('index.html has no script to put boot before')
        return html.replace(
          SITE_SCRIPT,
          `<script type="module" src="/${first.fileName}" data-app="$1"></script>\n    <link rel="modulepreload" crossorigin href="$1">`,
        )
      },
    },
  }
}
