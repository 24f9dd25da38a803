import { defineConfig } from 'vitest/config'

/** All workspaces in one run, with the server's tests on both databases. */
export default defineConfig({
  test: {
    // What a passing test logs on purpose would hide a failing one's output.
    silent: 'passed-only',
    projects: ['shared', 'server', 'server/vitest.postgres.config.ts', 'client', 'scripts'],
  },
})
