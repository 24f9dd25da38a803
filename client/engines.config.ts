import { defineConfig } from '@playwright/test'
import type { DrivenEngine } from '../scripts/lib/engines.ts'
import base from './playwright.config.ts'

/**
 * For `npm run engines`: the same tests in Firefox and in WebKit (of Playwright only its runner, it drives neither), and the
 * main job in Chromium through a real Caddy, and the server behind other real proxies.
 */
export default defineConfig<{ engine: DrivenEngine }>({
  ...base,
  testDir: './engines',
  timeout: 300_000,
  expect: { timeout: 60_000 },
  projects: [
    ...(['firefox', 'webkit'] as const).map((engine) => ({
      name: engine,
      testIgnore: ['**/caddy/**', '**/proxies/**', '**/identity/**', '**/openapi/**'],
      use: { engine },
    })),
    { name: 'caddy', testDir: './engines/caddy' },
    { name: 'proxies', testDir: './engines/proxies' },
    { name: 'identity', testDir: './engines/identity' },
    { name: 'openapi', testDir: './engines/openapi' },
  ],
  use: {},
})
