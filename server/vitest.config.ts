import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'server',
    include: ['{src,tests}/**/*.test.ts'],
    exclude: ['src/store/postgres/**', 'tests/postgres/**'],
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    isolate: false,
  },
})
