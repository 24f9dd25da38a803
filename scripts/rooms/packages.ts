/** Sets of packages that several rooms may import; see table.ts. */

export const SERVER_PACKAGES = [
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
export const TEST_PACKAGES = ['node', 'vitest', 'fast-check'] as const
export const SCREEN_PACKAGES = [
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
export const KIT_PACKAGES = [
  'react',
  'react-dom',
  'react-router',
  '@base-ui/react',
  '@fontsource/',
  'lucide-react',
  'qrcode.react',
  'sonner',
] as const
export const WORKER_PACKAGES = [
  'workbox-core',
  'workbox-precaching',
  'workbox-routing',
  'workbox-strategies',
  'workbox-window',
] as const
/** Tests of pages in jsdom may import these. */
export const PAGE_PACKAGES = [
  'jsdom',
  'fake-indexeddb',
  'dom-accessibility-api',
  '@testing-library/',
  '@sinonjs/fake-timers',
] as const
