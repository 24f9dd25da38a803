import { defineConfig } from 'vitest/config'

/** All workspaces in one run, with the server's tests on both databases. */
export default defineConfig({
  test: {
    projects: ['shared', 'server', 'server/vitest.postgres.config.ts', 'client', 'client/dom', 'scripts'],
  },
})
