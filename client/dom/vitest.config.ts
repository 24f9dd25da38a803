import { defineConfig } from 'vitest/config'

/** Pages of the built app in jsdom against the real server: what needs no browser's layout, paint or worker. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../../node_modules/.vite/pages',
  test: {
    name: 'pages',
    include: ['**/*.test.ts'],
    globalSetup: '../e2e/support/globalSetup.ts',
    // The page's modules run as modules, evaluated again for each load, from what was compiled for the first: so all of it at once.
    // V8's own cache of compiled code would keep every window that ever ran, and shapes of objects keep theirs for some more
    // collections: each of those then finds twice as much.
    execArgv: [
      ...['--experimental-vm-modules', '--no-warnings', '--no-lazy'],
      ...['--no-compilation-cache', '--retain-maps-for-n-gc=0'],
    ],
    testTimeout: 180_000,
    expect: { poll: { interval: 10, timeout: 30_000 } },
    isolate: false,
  },
})
