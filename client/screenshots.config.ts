import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** `npx playwright test -c client/screenshots.config.ts` takes the pictures of manifest/screenshots anew. */
export default defineConfig({
  ...base,
  testMatch: '**/*.shots.ts',
  projects: base.projects?.slice(0, 1) ?? [],
  workers: 1,
  retries: 0,
  timeout: 300_000,
})
