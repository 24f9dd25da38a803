import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { findHeadless } from '../scripts/lib/chromium.ts'

/** The leaner browser without windows. A test of what only the whole one can do, such as installing, starts that itself. */
const executablePath = findHeadless()

export default defineConfig({
  testDir: './e2e',
  testMatch: '**/*.spec.ts',
  // Node reads the files as they are. Playwright's own translation of them takes seconds in each of its processes.
  build: { external: ['**'] },
  outputDir: './test-results',
  globalSetup: './e2e/support/globalSetup.ts',
  // One more than there are cores, because tests also wait.
  workers: availableParallelism() + 1,
  fullyParallel: true,
  forbidOnly: true,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['line']],
  use: {
    launchOptions: { args: chromiumArguments(), ...(executablePath === undefined ? {} : { executablePath }) },
    viewport: { width: 1280, height: 800 },
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    // A worker fetches all of its app, a hundred files. What it is for is tested where a test asks for 'allow'.
    serviceWorkers: 'block',
    // A browser without a GPU spends its whole core on the turning lamp, and then each press waits for seconds. What moves
    // is tested where a test asks for `reducedMotion: 'no-preference'`.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
  },
})

/** Quiet and offline: nothing of the browser's own may reach out or pop up during a test. */
function chromiumArguments(): string[] {
  return [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
}
