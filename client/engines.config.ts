import { defineConfig } from '@playwright/test'
import type { EngineName } from '../scripts/lib/engines.ts'
import base from './playwright.config.ts'

/** The same tests in Firefox and in WebKit, for `npm run engines`. Of Playwright only its runner: it drives neither. */
export default defineConfig<{ engine: EngineName }>({
  ...base,
  testDir: './engines',
  timeout: 300_000,
  expect: { timeout: 60_000 },
  projects: (['firefox', 'webkit'] as const).map((engine) => ({ name: engine, use: { engine } })),
  use: {},
})
