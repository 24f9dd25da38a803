import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** All workspaces in one run. Vitest leaves one core free unless told; here nobody waits for it. */
export default defineConfig({
  test: { projects: ['shared', 'server', 'client', 'client/dom', 'scripts'], maxWorkers: availableParallelism() },
})
