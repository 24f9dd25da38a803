import { isBelowScanner } from '@garba/shared/contracts/site/pages'
import type { Plugin, Rolldown } from 'vite'

interface Build {
  getModuleInfo(id: string): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null
}

type Modules = ReadonlySet<string>

const ENTRIES = { site: 'site/main.tsx', scanner: 'scanner/main.tsx' } as const
const SCREENS = {
  guest: ['site/Dashboards.tsx', 'guest/GuestDashboard.tsx', 'guest/data/stored.ts', 'kit/Toaster.tsx'],
  scanner: ['scanner/ScannerApp.tsx', 'kit/Toaster.tsx'],
  // Not the views with charts, which weigh more than all the rest.
  desk: [
    ...['site/Dashboards.tsx', 'kit/Toaster.tsx', 'desk/DeskDashboard.tsx', 'desk/home/AdminHome.tsx'],
    ...['desk/home/ManagerHome.tsx', 'desk/tickets/TicketsView.tsx', 'desk/users/UsersView.tsx'],
    ...['desk/event/EventManager.tsx', 'desk/audit/AuditView.tsx', 'site/frame/UserMenu.tsx'],
  ],
} as const
const BELOW_HERO = ['site/landing/sections/Sections.tsx']
const CONTRACTS = ['../../shared/src/calls/calls.ts']
const IDENTITY = ['platform/identity/lifecycle.ts', 'platform/identity/device.ts']

/** The order matters: each file takes along what its modules import and no file before it has taken. */
const INITIAL = ['first', 'shared', 'page'] as const
const LATER = [
  ...(['icons', 'bits', 'below', 'identity', 'common', 'dashboards', 'contracts', 'later', 'extras'] as const),
  ...(['guestApp', 'scannerApp', 'deskApp'] as const),
]

/**
 * Puts what a screen begins with into few files instead of a hundred small ones, because each costs a request and its
 * way through the worker. No file holds more than every shell that loads it needs; otherwise one shell would start in
 * the other, or be in the other's precache.
 */
export function buildChunkGroups(inSource: (path: string) => string) {
  let sets: Sets | undefined
  const setsIn = (build: Build) => {
    sets ??= buildModuleSets(inSource, build)
    return sets
  }
  return [
    ...INITIAL.map((file, index) => ({
      name: (id: string, build: Build) => (findInitialFile(id, setsIn(build)) === file ? file : null),
      tags: ['$initial' as const],
      priority: 20 - index,
    })),
    ...LATER.map((file, index) => ({
      name: (id: string, build: Build) => (findLaterFile(id, setsIn(build)) === file ? file : null),
      priority: 15 - index,
    })),
  ]
}

interface Sets {
  entries: Modules
  site: Modules
  scanner: Modules
  belowHero: Modules
  identity: Modules
  contracts: Modules
  soon: Record<keyof typeof SCREENS, Modules>
  everIn: Record<keyof typeof SCREENS, Modules>
}

function buildModuleSets(inSource: (path: string) => string, build: Build): Sets {
  const from = (paths: readonly string[], later: false | ((id: string) => boolean) = false) =>
    reachedFrom(paths.map(inSource), build, later)
  return {
    entries: new Set(Object.values(ENTRIES).map(inSource)),
    site: from([ENTRIES.site]),
    scanner: from([ENTRIES.scanner]),
    belowHero: from(BELOW_HERO),
    identity: from(IDENTITY),
    contracts: from(CONTRACTS),
    soon: { guest: from(SCREENS.guest), scanner: from(SCREENS.scanner), desk: from(SCREENS.desk) },
    everIn: {
      guest: from([ENTRIES.site], (id) => !id.startsWith(inSource('desk/'))),
      scanner: from([ENTRIES.scanner], () => true),
      desk: from(SCREENS.desk, (id) => id.startsWith(inSource('desk/'))),
    },
  }
}

function reachedFrom(starts: readonly string[], build: Build, later: false | ((id: string) => boolean)): Modules {
  const found = new Set(starts)
  for (const id of found) {
    const info = build.getModuleInfo(id)
    for (const next of info?.importedIds ?? []) found.add(next)
    if (later) for (const next of info?.dynamicallyImportedIds ?? []) if (later(next)) found.add(next)
  }
  return found
}

function findInitialFile(id: string, { entries, site, scanner, everIn }: Sets): (typeof INITIAL)[number] | null {
  if (entries.has(id) || !site.has(id)) return null
  return scanner.has(id) ? 'first' : everIn.scanner.has(id) ? 'shared' : 'page'
}

function findLaterFile(
  id: string,
  { entries, belowHero, identity, contracts, soon, everIn }: Sets,
): (typeof LATER)[number] | null {
  if (entries.has(id)) return null
  // Every screen reaches all icons through the package's index; the icons in use weigh little.
  if (id.includes('/lucide-react/')) return 'icons'
  // The scanner loads the file 'bits', so nothing in it may bring the site's page along.
  if (belowHero.has(id) && id.includes('/src/site/')) return soon.guest.has(id) ? 'below' : null
  if (belowHero.has(id) && (soon.guest.has(id) || soon.desk.has(id) || soon.scanner.has(id))) return 'bits'
  if (identity.has(id)) return 'identity'
  if (soon.guest.has(id)) return everIn.scanner.has(id) ? 'common' : soon.desk.has(id) ? 'dashboards' : 'guestApp'
  // The scanner starts without zod.
  if (contracts.has(id)) return soon.scanner.has(id) ? 'common' : 'contracts'
  if (soon.scanner.has(id)) return everIn.guest.has(id) || everIn.desk.has(id) ? 'later' : 'scannerApp'
  if (soon.desk.has(id)) return everIn.scanner.has(id) ? 'later' : everIn.guest.has(id) ? 'extras' : 'deskApp'
  return null
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
