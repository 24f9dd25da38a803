interface Build {
  getModuleInfo(id: string): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null
}

type Modules = ReadonlySet<string>

/** Where each shell begins, and what it fetches for its first screens. */
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
/** The landing page below its hero, which uses small things that the dashboards use too. */
const BELOW_HERO = ['site/landing/sections/Sections.tsx']
/** What each answer of the server must look like. */
const CONTRACTS = ['../../shared/src/calls/calls.ts']
/** Signing in, restoring a session, and ending it. */
const IDENTITY = ['platform/identity/lifecycle.ts', 'platform/identity/device.ts']

/** In this order: each file takes along what its modules import and no file before it has taken. */
const INITIAL = ['first', 'shared', 'page'] as const
const LATER = [
  ...(['icons', 'bits', 'below', 'identity', 'common', 'dashboards', 'contracts', 'later', 'extras'] as const),
  ...(['guestApp', 'scannerApp', 'deskApp'] as const),
]

/**
 * Puts what a screen begins with into few files instead of a hundred small ones: each costs a request, and its way through
 * the worker. No file holds more than every shell that loads it needs: it would start the one shell in the other, or
 * put the one into the other's precache.
 */
export function chunks(inSource: (path: string) => string) {
  let sets: Sets | undefined
  const setsIn = (build: Build) => {
    sets ??= setsOf(inSource, build)
    return sets
  }
  return [
    ...INITIAL.map((file, index) => ({
      name: (id: string, build: Build) => (initialFileOf(id, setsIn(build)) === file ? file : null),
      tags: ['$initial' as const],
      priority: 20 - index,
    })),
    ...LATER.map((file, index) => ({
      name: (id: string, build: Build) => (laterFileOf(id, setsIn(build)) === file ? file : null),
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
  /** What each screen begins with. */
  soon: Record<keyof typeof SCREENS, Modules>
  /** What may be loaded later, too; for a guest, all of the site but the desk. */
  everIn: Record<keyof typeof SCREENS, Modules>
}

function setsOf(inSource: (path: string) => string, build: Build): Sets {
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

function initialFileOf(id: string, { entries, site, scanner, everIn }: Sets): (typeof INITIAL)[number] | null {
  if (entries.has(id) || !site.has(id)) return null
  return scanner.has(id) ? 'first' : everIn.scanner.has(id) ? 'shared' : 'page'
}

function laterFileOf(
  id: string,
  { entries, belowHero, identity, contracts, soon, everIn }: Sets,
): (typeof LATER)[number] | null {
  if (entries.has(id)) return null
  // All reach all of them through the package's index; those in use weigh little.
  if (id.includes('/lucide-react/')) return 'icons'
  // The scanner loads the bits, so nothing may be among them that brings the site's page along.
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
