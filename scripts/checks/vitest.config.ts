import { defineConfig } from 'vitest/config'

/** All workspaces in one run. */
export default defineConfig({ test: { projects: ['shared', 'server', 'client', 'client/dom', 'scripts'] } })
