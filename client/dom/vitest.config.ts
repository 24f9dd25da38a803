import { defineConfig } from 'vitest/config'

/** Pages of the built app in jsdom against the real server: what needs no browser's layout, paint or worker. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../../node_modules/.vite/pages',
  test: {
    name: 'pages',
    include: ['**/*.test.ts'],
    globalSetup: '../e2e/support/globalSetup.ts',
    // V8's own cache of compiled code would keep every window that ever ran, and shapes of objects keep theirs for some more
    // collections: each of those then finds twice as much.
    execArgv: ['--no-compilation-cache', '--retain-maps-for-n-gc=0'],
    testTimeout: 180_000,
    expect: { poll: { interval: 10, timeout: 30_000 } },
    isolate: false,
  },
})
