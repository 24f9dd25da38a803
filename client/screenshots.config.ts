import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** Pictures instead of tests: `npm run screens` sets SCREENS and, for every screen, the folder. */
export default defineConfig({
  ...base,
  testMatch: process.env.SCREENS === 'manifest' ? '**/manifest.shots.ts' : '**/screens.shots.ts',
  projects: base.projects?.slice(0, 1) ?? [],
  workers: 1,
  retries: 0,
  timeout: 300_000,
})
