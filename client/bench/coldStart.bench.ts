import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { type BenchRow, computeMedian } from '../../scripts/lib/benchRow.ts'
import { findChromium } from '../../scripts/lib/chromium.ts'
import globalSetup from '../e2e/support/globalSetup.ts'
import { workerReady } from '../e2e/support/network.ts'
import { TestServer } from '../e2e/support/server.ts'
import { restoreSession } from '../e2e/support/session.ts'

const RUNS = 5
/** Chromium's own slow-down, as its developer tools call a mid-tier phone. */
const SLOWED = 4
const GUEST = '/dashboard/guest'
const SCANNER = '/dashboard/qrchecker'

/**
 * From the navigation until the guest's code is drawn, the server off, and until the camera's first frame. Each app has a
 * browser with a profile on the disk, as an installed one has, with what the engine compiled there; each start has an empty
 * memory cache and its worker stopped.
 */
export default async function bench(): Promise<BenchRow[]> {
  const endSetup = await globalSetup()
  const server = await TestServer.create({ ownProcess: true })
  const profiles = await mkdtemp(join(tmpdir(), 'garba-profiles-'))
  const open: BrowserContext[] = []
  try {
    await (await server.api('guest')).buy(1)
    for (const role of ['guest', 'checker'] as const) open.push(await kept(join(profiles, role), server, role))
    return await rowsOf(open, server)
  } finally {
    for (const browser of open) await browser.close()
    await rm(profiles, { recursive: true, force: true })
    await server.dispose()
    await endSetup()
  }
}

async function rowsOf([guest, checker]: readonly BrowserContext[], server: TestServer): Promise<BenchRow[]> {
  if (guest === undefined || checker === undefined) throw new Error('Two browsers are needed')
  const camera = {
    slow: await times(checker, SCANNER, SLOWED, liveCamera),
    plain: await times(checker, SCANNER, 1, liveCamera),
  }
  await server.stop()
  const code = { slow: await times(guest, GUEST, SLOWED, drawnCode), plain: await times(guest, GUEST, 1, drawnCode) }
  return [
    rowOf("Guest's cold start, server off: the ticket's code is drawn", code),
    rowOf("Scanner's cold start: the camera's first frame", camera),
  ]
}

const rowOf = (name: string, { slow, plain }: Record<'slow' | 'plain', readonly number[]>): BenchRow => ({
  name: `${name}, CPU slowed ${SLOWED} times`,
  figure: Math.round(computeMedian(slow)),
  unit: 'ms',
  comparedWith: `not slowed: ${Math.round(computeMedian(plain))} ms`,
  ratio: computeMedian(slow) / computeMedian(plain),
  note: `median of ${RUNS}, ${Math.round(Math.min(...slow))} to ${Math.round(Math.max(...slow))} ms`,
})

/** A browser that has been here before: signed in, its worker active, its data read. */
async function kept(profile: string, server: TestServer, role: 'guest' | 'checker'): Promise<BrowserContext> {
  const executablePath = findChromium()
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    baseURL: server.url,
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    reducedMotion: 'reduce',
    permissions: ['camera'],
  })
  const page = await context.newPage()
  await restoreSession(page, role)
  await page.goto(role === 'guest' ? GUEST : SCANNER)
  await workerReady(page)
  if (role === 'guest') await page.evaluate(drawnCode)
  else
    await page
      .getByText(/\d+ s ago/)
      .first()
      .waitFor()
  await page.close()
  return context
}

async function times(
  context: BrowserContext,
  path: string,
  rate: number,
  measure: () => Promise<number>,
): Promise<number[]> {
  const found: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const page = await context.newPage()
    await stopWorkers(page)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate })
    await page.goto(path, { waitUntil: 'commit' })
    found.push(await page.evaluate(measure))
    await page.close()
  }
  return found
}

/** As after the phone was put away: the worker has to start too. */
async function stopWorkers(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.stopAllWorkers')
  await devtools.detach()
}

/** Runs in the page: ms from the start of the navigation until a ticket's code is drawn. */
const drawnCode = () =>
  new Promise<number>((resolve) => {
    const look = () => {
      if (document.querySelector('article svg[role="img"] path'))
        requestAnimationFrame(() => resolve(performance.now()))
      else requestAnimationFrame(look)
    }
    look()
  })

/** Runs in the page: presses Start Scanner when it is there; ms until the camera's first frame is on the screen. */
const liveCamera = () =>
  new Promise<number>((resolve) => {
    const look = () => {
      const video = document.querySelector('video')
      if (video?.srcObject) return void video.requestVideoFrameCallback(() => resolve(performance.now()))
      for (const button of document.querySelectorAll('button'))
        if (button.textContent?.includes('Start Scanner')) button.click()
      requestAnimationFrame(look)
    }
    look()
  })
