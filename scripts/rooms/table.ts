/**
 * The map of architecture.md as data. An import that is not listed is denied. A file belongs to the first room whose
 * pattern matches its path. Tests, benchmarks and builders have their own rooms.
 */

/** The order matters: each room may import those before it. */
const SHARED = ['constants', 'names', 'messages', 'contracts', 'rules', 'calls'] as const
const SERVER = [
  'main',
  'app',
  'http',
  'flows',
  'store',
  'accountant',
  'identity',
  'providers',
  'mail',
  'paper',
  'backups',
  'doctor',
  'ground',
] as const
const SCAN_ROOMS = [
  'scannerScan',
  'scannerSync',
  'scannerStore',
  'scannerCamera',
  'scannerDecode',
  'scannerCore',
] as const
const SCANNER = [...SCAN_ROOMS, 'scannerScreens', 'scannerChecks', 'scanner'] as const
const CLIENT = ['texts', 'site', 'guest', 'desk', ...SCANNER, 'kit', 'platform'] as const
export const ROOM_NAMES = [
  'sharedTests',
  'sharedTesting',
  'constants',
  'names',
  'messages',
  'calls',
  'contracts',
  'rules',
  'serverTests',
  'serverTesting',
  'serverBench',
  'providerDouble',
  ...SERVER,
  'pages',
  'clientTests',
  'clientBench',
  'e2e',
  'engines',
  ...CLIENT,
  'clientConfig',
  'config',
  'scripts',
] as const
export type RoomName = (typeof ROOM_NAMES)[number]

/** Packages that several rooms may import. */
const SERVER_PACKAGES = [
  'node',
  'hono',
  '@hono/node-server',
  'better-sqlite3',
  'pg',
  'drizzle-orm',
  'jose',
  'pino',
  'rate-limiter-flexible',
  'csv-stringify',
  'csv-parse',
  'ulid',
  'zod',
  'postal-mime',
  'smtp-server',
  'age-encryption',
  'zxing-wasm',
] as const
const TEST_PACKAGES = ['node', 'vitest', 'fast-check'] as const
const SCREEN_PACKAGES = [
  'react',
  'react-dom',
  'react-router',
  'react-error-boundary',
  'react-hook-form',
  '@hookform/resolvers',
  '@tanstack/react-query',
  'lucide-react',
  'sonner',
  'zustand',
  'zod',
] as const
const KIT_PACKAGES = [
  'react',
  'react-dom',
  'react-router',
  '@base-ui/react',
  '@fontsource/',
  'lucide-react',
  'qrcode.react',
  'sonner',
] as const
const WORKER_PACKAGES = [
  'workbox-core',
  'workbox-precaching',
  'workbox-routing',
  'workbox-strategies',
  'workbox-window',
] as const
/** Packages that tests of pages in jsdom may import. */
const PAGE_PACKAGES = [
  'jsdom',
  'fake-indexeddb',
  'dom-accessibility-api',
  'rolldown',
  '@testing-library/',
  '@sinonjs/fake-timers',
] as const

export interface Room {
  /** Matches paths from the root of the repository. */
  readonly files: RegExp
  /** Rooms it may import besides itself. */
  readonly rooms: readonly RoomName[]
  /** Packages it may import; `node` means all of Node's built-in modules, `@scope/` a whole scope. */
  readonly packages: readonly string[]
}

const before = (room: (typeof SHARED)[number]) => SHARED.slice(0, SHARED.indexOf(room))

const TEST = String.raw`\.test\.tsx?$`
const CODE = String.raw`(?!.*\.test\.tsx?$)`
const under = (folder: string) => new RegExp(`^${CODE}${folder}/`)
const inScanner = (folder: string) => under(`client/src/scanner/${folder}`)
const testsUnder = (folder: string) => new RegExp(`^${folder}/.*${TEST}`)

export const ROOMS: Readonly<Record<RoomName, Room>> = {
  // shared -> zod only; calls -> rules -> contracts -> messages -> names -> constants
  constants: { files: /^shared\/src\/constants\.ts$/, rooms: [], packages: [] },
  /** Names shared by messages, schemas and rules: codes, roles, statuses, addresses. */
  names: { files: /^shared\/src\/contracts\/(codes|names|site\/pages)\.ts$/, rooms: before('names'), packages: [] },
  messages: { files: under('shared/src/messages'), rooms: before('messages'), packages: [] },
  /** Every call of the API with its schemas, including those in rules. */
  calls: { files: under('shared/src/calls'), rooms: before('calls'), packages: ['zod'] },
  contracts: { files: under('shared/src/contracts'), rooms: before('contracts'), packages: ['zod'] },
  rules: { files: under('shared/src/rules'), rooms: before('rules'), packages: ['zod'] },
  sharedTesting: { files: under('shared/src/testing'), rooms: SHARED, packages: ['zod'] },
  sharedTests: {
    files: testsUnder('shared/src'),
    rooms: [...SHARED, 'sharedTesting'],
    packages: [...TEST_PACKAGES, 'zod'],
  },

  // main -> app -> http -> flows -> {backups, store, identity, providers, mail} -> shared; http and store never meet
  main: {
    files: /^server\/src\/(main|serve|start|listen)\.ts$/,
    rooms: ['app', 'store', 'identity', 'ground', ...SHARED],
    packages: ['node', '@hono/node-server'],
  },
  app: {
    files: /^server\/src\/app\.ts$/,
    rooms: ['http', 'flows', 'identity', 'providers', 'mail', 'ground', ...SHARED],
    packages: ['node', 'hono'],
  },
  http: {
    files: under('server/src/http'),
    rooms: ['flows', 'identity', 'ground', ...SHARED],
    packages: ['node', 'hono', '@hono/node-server', 'rate-limiter-flexible', 'csv-stringify', 'prom-client', 'zod'],
  },
  flows: {
    files: under('server/src/flows'),
    rooms: ['store', 'accountant', 'identity', 'providers', 'mail', 'paper', 'backups', 'doctor', 'ground', ...SHARED],
    packages: ['node', 'ulid', 'csv-parse', 'csv-stringify', 'lean-qr', 'zod'],
  },
  store: {
    files: under('server/src/store'),
    rooms: ['ground', ...SHARED],
    packages: ['node', 'better-sqlite3', 'pg', 'drizzle-orm', 'rate-limiter-flexible', 'ulid'],
  },
  identity: { files: under('server/src/identity'), rooms: ['ground', ...SHARED], packages: ['node', 'jose', 'zod'] },
  // Checks the tables with its own SQL. It shares nothing with the code it checks, not even rules and tables.
  accountant: { files: under('server/src/accountant'), rooms: ['names'], packages: ['node'] },
  // Payment providers, each behind the same interface. They know nothing of the store.
  providers: { files: under('server/src/providers'), rooms: ['ground', ...SHARED], packages: ['node', 'zod'] },
  // Copies of the database that are made while it is in use, and opened again.
  backups: {
    files: under('server/src/backups'),
    rooms: ['store', 'ground', ...SHARED],
    packages: ['node', 'age-encryption'],
  },
  // Checks everything an evening needs, in its own process or thread.
  doctor: {
    files: under('server/src/doctor'),
    rooms: ['store', 'accountant', 'providers', 'mail', 'ground', ...SHARED],
    packages: ['node', 'zod'],
  },
  mail: {
    files: under('server/src/mail'),
    rooms: ['ground', ...SHARED],
    packages: ['node', 'nodemailer', 'lean-qr', 'postal-mime', 'zod'],
  },
  paper: { files: under('server/src/paper'), rooms: ['ground', ...SHARED], packages: ['node', 'lean-qr', 'pdfkit'] },
  // A payment provider for demos and tests: a separate program with the API of the real one.
  providerDouble: {
    files: under('server/src/double'),
    rooms: [...SHARED],
    packages: ['node', 'hono', '@hono/node-server', 'zod'],
  },
  serverTesting: {
    files: under('server/src/testing'),
    rooms: [...SERVER, 'providerDouble', ...SHARED, 'sharedTesting'],
    packages: [...SERVER_PACKAGES, ...TEST_PACKAGES],
  },
  serverTests: {
    files: testsUnder('server/src'),
    rooms: [...SERVER, 'serverTesting', 'providerDouble', ...SHARED, 'sharedTesting'],
    packages: [...SERVER_PACKAGES, 'lean-qr', ...TEST_PACKAGES],
  },
  serverBench: {
    files: under('server/bench'),
    rooms: [...SERVER, 'serverTesting', ...SHARED, 'sharedTesting', 'scripts'],
    packages: [...SERVER_PACKAGES, 'autocannon'],
  },
  // Every room of the server may use these: settings, log, refusals. They import no other room of the server.
  ground: {
    files: /^(?!.*\.test\.ts$)server\/src\/(settings\/)?[^/]+\.ts$/,
    rooms: SHARED,
    packages: ['node', 'pino', 'zod'],
  },

  // {site, scanner} -> {guest, desk} -> {kit, platform} -> shared; the scanner imports only kit, platform and shared
  // Each app has its screen texts here.
  texts: { files: under('client/src/.*/texts'), rooms: SHARED, packages: [] },
  site: {
    files: under('client/src/site'),
    rooms: ['texts', 'guest', 'desk', 'kit', 'platform', ...SHARED],
    packages: [...SCREEN_PACKAGES, ...WORKER_PACKAGES],
  },
  // screens, checks -> scan -> sync -> store, camera, decode -> core. The camera includes its own decoder.
  scannerCore: { files: inScanner('core'), rooms: ['texts', 'platform', ...SHARED], packages: ['zustand'] },
  scannerDecode: {
    files: inScanner('decode'),
    rooms: ['scannerCore', ...SHARED],
    packages: ['@zxing/library', 'zxing-wasm', 'p-timeout'],
  },
  scannerCamera: {
    files: inScanner('camera'),
    rooms: ['texts', 'scannerDecode', 'scannerCore', 'platform', ...SHARED],
    packages: ['react'],
  },
  scannerStore: {
    files: inScanner('store'),
    rooms: ['texts', 'scannerCore', 'platform', ...SHARED],
    packages: ['zustand'],
  },
  scannerSync: {
    files: inScanner('sync'),
    rooms: ['texts', 'scannerStore', 'scannerCore', 'platform', ...SHARED],
    packages: ['zustand'],
  },
  scannerScan: {
    files: inScanner('scan'),
    rooms: ['texts', 'scannerSync', 'scannerStore', 'scannerCore', 'platform', ...SHARED],
    packages: ['zustand', 'p-timeout'],
  },
  scannerScreens: {
    files: inScanner('screens'),
    rooms: ['texts', ...SCAN_ROOMS, 'kit', 'platform', ...SHARED],
    packages: SCREEN_PACKAGES,
  },
  scannerChecks: {
    files: inScanner('checks'),
    rooms: ['texts', ...SCAN_ROOMS, 'kit', 'platform', ...SHARED],
    packages: [...SCREEN_PACKAGES, '@zxing/library'],
  },
  // The entry of the scanner's page and its worker.
  scanner: {
    files: new RegExp(`^${CODE}client/src/scanner/[^/]+$`),
    rooms: ['texts', ...SCAN_ROOMS, 'scannerScreens', 'scannerChecks', 'kit', 'platform', ...SHARED],
    packages: [...SCREEN_PACKAGES, ...WORKER_PACKAGES],
  },
  guest: {
    files: under('client/src/guest'),
    rooms: ['texts', 'kit', 'platform', ...SHARED],
    packages: SCREEN_PACKAGES,
  },
  desk: {
    files: under('client/src/desk'),
    rooms: ['texts', 'kit', 'platform', ...SHARED],
    packages: [...SCREEN_PACKAGES, 'recharts'],
  },
  // The kit knows nothing of tickets.
  kit: {
    files: under('client/src/kit'),
    rooms: ['constants', 'messages'],
    packages: KIT_PACKAGES,
  },
  platform: {
    files: under('client/src/platform'),
    rooms: SHARED,
    packages: [
      'react',
      'react-router',
      'ky',
      'firebase',
      'eventsource-parser',
      'p-timeout',
      'idb',
      'zustand',
      '@tanstack/react-query',
      'zod',
      ...WORKER_PACKAGES,
    ],
  },
  // Tests of the built pages in jsdom. Like the browser tests, they start the real server.
  pages: {
    files: /^client\/dom\//,
    rooms: ['texts', ...SHARED, 'sharedTesting', 'e2e', 'scripts'],
    packages: ['node', 'vitest', ...PAGE_PACKAGES],
  },
  clientTests: {
    files: /^client\/(.*\.test\.tsx?$|src\/(platform|scanner)\/testing\/)/,
    // Besides the client, they may use the real server in the same process.
    rooms: [...CLIENT, 'clientBench', 'serverTesting', ...SHARED, 'sharedTesting'],
    packages: [
      ...TEST_PACKAGES,
      ...SCREEN_PACKAGES,
      'fake-indexeddb',
      'idb',
      '@zxing/library',
      'zxing-wasm',
      'qrcode.react',
    ],
  },
  clientBench: {
    files: under('client/bench'),
    rooms: ['scannerDecode', 'guest', 'platform', ...SHARED, 'sharedTesting', 'scripts', 'e2e'],
    packages: [
      'node',
      'lean-qr',
      '@playwright/test',
      '@zxing/library',
      'zxing-wasm',
      'qrcode.react',
      'react',
      'react-dom',
      'vite',
    ],
  },
  e2e: {
    files: under('client/e2e'),
    // They start the real server in their own process.
    rooms: ['texts', ...SHARED, 'sharedTesting', 'scripts', 'main', 'providerDouble', 'ground'],
    packages: [
      'node',
      '@playwright/test',
      'axe-core',
      'better-sqlite3',
      'csv-parse',
      'jose',
      '@zxing/library',
      'zxing-wasm',
    ],
  },
  // These tests run the same pages in Firefox and in WebKit.
  engines: {
    files: under('client/engines'),
    rooms: [...SHARED, 'e2e', 'scripts'],
    packages: ['node', '@playwright/test', '@testing-library/'],
  },
  clientConfig: {
    files: /^client\/[^/]+\.(ts|mts)$/,
    rooms: ['names', 'scripts'],
    packages: ['node', 'vite', 'vitest', 'subset-font', '@vitejs/plugin-react', 'vite-plugin-pwa', '@playwright/test'],
  },
  config: {
    files: /^(server|shared|scripts)\/[^/]+\.config\.ts$/,
    rooms: [],
    packages: ['node', 'vitest'],
  },
  scripts: {
    files: /^scripts\//,
    rooms: [
      'flows',
      'store',
      'paper',
      'identity',
      'backups',
      'doctor',
      'ground',
      'providerDouble',
      'serverTesting',
      ...SHARED,
    ],
    packages: ['node', 'vitest', 'age-encryption', 'rolldown', 'vite', 'firebase-tools', '@playwright/test'],
  },
}
