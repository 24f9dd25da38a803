import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { nodeBinary, ROOT, SetUpError } from '../setup.mjs'
import { ensureByApt, findInstalled, HEADLESS, OVERRIDE, runs } from './aptChromium.mjs'
import { step } from './say.ts'

/** The browser for the browser tests: CHROMIUM_PATH, an installed Chrome or Chromium, or Playwright's own. */
export function findChromium(): string | undefined {
  return process.env[OVERRIDE] || findInstalled() || [chromium.executablePath()].find(runs)
}

/** The headless browser if there is one, unless CHROMIUM_PATH names another. */
export function findHeadless(): string | undefined {
  return !process.env[OVERRIDE] && runs(HEADLESS) ? HEADLESS : findChromium()
}

/** Installs Chromium if there is none: with apt as root on Debian, which also has the headless one, otherwise with Playwright. */
export async function ensureChromium(): Promise<string> {
  await ensureByApt()
  if (!findChromium()) await step('Installing Chromium (playwright install)', byPlaywright)
  const path = findChromium()
  if (path) return path
  throw new SetUpError(
    `No Chromium could be installed. Install Chrome or Chromium yourself, or name one with ${OVERRIDE}, then run npm test again.`,
  )
}

function byPlaywright(): void {
  const cli = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
  const { status, stderr } = spawnSync(nodeBinary(), [cli, 'install', 'chromium'], { encoding: 'utf8', stdio: 'pipe' })
  if (status !== 0) console.log(`  playwright install failed: ${stderr?.trim().split('\n').slice(-3).join(' ')}`)
}
