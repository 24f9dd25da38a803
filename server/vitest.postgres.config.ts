import { defineConfig } from 'vitest/config'

/** The tests of the server once more, on PostgreSQL. */
export default defineConfig({
  test: {
    name: 'server-postgres',
    include: ['src/{flows,http,identity,testing}/**/*.test.ts', 'src/store/postgres/*.test.ts'],
    // SQLite's own planner.
    exclude: ['src/http/routes/queryPlans.test.ts'],
    globalSetup: 'src/testing/postgresSetup.ts',
    testTimeout: 60_000,
    isolate: false,
  },
})
