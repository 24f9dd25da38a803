import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'shared',
    include: ['{src,tests}/**/*.test.ts'],
    environment: 'node',
    testTimeout: 30_000,
    isolate: false,
  },
})
