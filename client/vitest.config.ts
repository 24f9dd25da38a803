import { defineConfig } from 'vitest/config'

/** Pure parts in Node; everything that needs a browser is tested in one (client/e2e). */
export default defineConfig({
  test: {
    name: 'client',
    environment: 'node',
    include: ['{src,tests}/**/*.test.ts'],
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    isolate: false,
    setupFiles: ['src/platform/testing/freshFile.ts'],
  },
})
