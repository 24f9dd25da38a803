import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

const SHOTS: Record<string, string> = { manifest: 'manifest', animation: 'tour' }

/** Pictures instead of tests: `npm run screens` sets SCREENS and, for every screen, the folder. */
export default defineConfig({
  ...base,
  testMatch: `**/${SHOTS[process.env.SCREENS ?? ''] ?? 'screens'}.shots.ts`,
  workers: 1,
  retries: 0,
  timeout: 300_000,
})
