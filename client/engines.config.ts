import { defineConfig } from '@playwright/test'
import type { EngineName } from '../scripts/lib/engines.ts'

/** The same tests in Firefox and in WebKit, for `npm run engines`. Of Playwright only its runner: it drives neither. */
export default defineConfig<{ engine: EngineName }>({
  testDir: './engines',
  testMatch: '**/*.spec.ts',
  outputDir: './test-results',
  globalSetup: './e2e/support/globalSetup.ts',
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['line']],
  projects: (['firefox', 'webkit'] as const).map((engine) => ({ name: engine, use: { engine } })),
})
