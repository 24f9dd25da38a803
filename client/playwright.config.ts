import { defineConfig } from '@playwright/test'
import { findChromium } from '../scripts/lib/chromium.ts'

const executablePath = findChromium()

export default defineConfig({
  testDir: './e2e',
  testMatch: '**/*.spec.ts',
  outputDir: './test-results',
  globalSetup: './e2e/support/globalSetup.ts',
  // Two cores: two browsers.
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['line']],
  use: {
    ...(executablePath === undefined ? {} : { launchOptions: { executablePath, args: chromiumArguments() } }),
    viewport: { width: 1280, height: 800 },
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    // A browser without a GPU spends its whole core on the turning lamp, and then each press waits for seconds. What moves
    // is tested where a test asks for `reducedMotion: 'no-preference'`.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    screenshot: 'only-on-failure',
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
