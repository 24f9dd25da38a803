import { defineConfig } from 'vitest/config'

/** All workspaces in one run, the server's on both of its databases. */
export default defineConfig({
  test: {
    projects: ['shared', 'server', 'server/vitest.postgres.config.ts', 'client', 'client/dom', 'scripts'],
  },
})
