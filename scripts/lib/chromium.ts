import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { nodeBinary, ROOT, SetUpError } from '../setup.mjs'
import { step } from './say.ts'

/** Overrides the search: the path of a Chrome or Chromium. */
const OVERRIDE = 'CHROMIUM_PATH'
const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  `${process.env.PROGRAMFILES ?? 'C:\\Program Files'}\\Google\\Chrome\\Application\\chrome.exe`,
]

/** A file of that name may be a stub that only tells how to install the browser; one that tells its version runs. */
const runs = (path: string) =>
  existsSync(path) && (process.platform === 'win32' || spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0)

/** The browser for the browser tests: CHROMIUM_PATH, an installed Chrome or Chromium, or Playwright's own. */
export function findChromium(): string | undefined {
  const named = process.env[OVERRIDE]
  if (named) return named
  return [...INSTALLED, chromium.executablePath()].find(runs)
}

/** Installs a Chromium where there is none: by apt as root on Debian, by Playwright elsewhere. */
export async function ensureChromium(): Promise<string> {
  const found = findChromium()
  if (found) return found
  const isRoot = process.getuid?.() === 0
  if (isRoot && existsSync('/etc/debian_version')) await step('Installing Chromium (apt-get)', byApt)
  if (!findChromium()) await step('Installing Chromium (playwright install)', byPlaywright)
  const path = findChromium()
  if (path) return path
  throw new SetUpError(
    `No Chromium could be installed. Install Chrome or Chromium yourself, or name one with ${OVERRIDE}, then run npm test again.`,
  )
}

function byApt(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', 'chromium']]) {
    const { status, stderr } = spawnSync('apt-get', ['-q', ...args], { env, encoding: 'utf8', stdio: 'pipe' })
    if (status !== 0) console.log(`  apt-get ${args[0]} failed: ${stderr?.trim().split('\n').slice(-3).join(' ')}`)
  }
}

function byPlaywright(): void {
  const cli = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
  const { status, stderr } = spawnSync(nodeBinary(), [cli, 'install', 'chromium'], { encoding: 'utf8', stdio: 'pipe' })
  if (status !== 0) console.log(`  playwright install failed: ${stderr?.trim().split('\n').slice(-3).join(' ')}`)
}
