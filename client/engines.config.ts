import { defineConfig } from '@playwright/test'
import type { DrivenEngine } from '../scripts/lib/engines.ts'
import base from './playwright.config.ts'

/**
 * For `npm run engines`: the same tests in Firefox and in WebKit (of Playwright only its runner, it drives neither), and the
 * main job in Chromium through a real Caddy. For `npm run clients`: the change from an earlier version to this one.
 */
export default defineConfig<{ engine: DrivenEngine }>({
  ...base,
  testDir: './engines',
  timeout: 300_000,
  expect: { timeout: 60_000 },
  projects: [
    ...(['firefox', 'webkit'] as const).map((engine) => ({
      name: engine,
      testIgnore: ['**/caddy/**', '**/upgrade/**'],
      use: { engine },
    })),
    { name: 'caddy', testDir: './engines/caddy' },
    { name: 'upgrade', testDir: './engines/upgrade', use: { ...base.use, serviceWorkers: 'allow' } },
  ],
  use: {},
})
