import { SCAN_PAUSE_MS } from '@garba/shared/constants'
import { type Browser, chromium, type Page } from '@playwright/test'
import { type BenchRow, computeMedian } from '../../scripts/lib/benchRow.ts'
import { findChromium } from '../../scripts/lib/chromium.ts'
import { fakeCamera } from '../e2e/support/camera.ts'
import globalSetup from '../e2e/support/globalSetup.ts'
import { workerReady } from '../e2e/support/network.ts'
import { TestServer } from '../e2e/support/server.ts'
import { restoreSession } from '../e2e/support/session.ts'
import { type LineKind, openLine } from './support/line.ts'

/** Codes, starts and taps for each row. */
const SCANS = 20
const STARTS = 3
/** The page keeps loading for a moment after its camera has started; verdicts are timed after that (ms). */
const SETTLED_MS = 4_000
/** From one camera picture to the next (ms), as a phone's camera has them. */
const FRAME_MS = 33

interface Kind {
  readonly name: string
  /** Undefined: without a network. */
  readonly line: LineKind | undefined
  /** How many times the CPU is slowed. */
  readonly slowed: number
}

const WEAK: LineKind = { roundTripMs: 300, lossPercent: 1 }
const KINDS: readonly Kind[] = [
  { name: 'offline', line: undefined, slowed: 1 },
  { name: 'online', line: { roundTripMs: 0 }, slowed: 1 },
  { name: 'online, 80 ms away', line: { roundTripMs: 80 }, slowed: 1 },
  { name: 'online, 300 ms away', line: { roundTripMs: 300 }, slowed: 1 },
  { name: 'offline, CPU slowed 4 times', line: undefined, slowed: 4 },
  { name: 'offline, CPU slowed 6 times', line: undefined, slowed: 6 },
  { name: '300 ms away, 1 % lost, CPU slowed 4 times', line: WEAK, slowed: 4 },
  { name: '300 ms away, 1 % lost, CPU slowed 6 times', line: WEAK, slowed: 6 },
]

/**
 * The scanner as checkers use it, in Chromium: from a code's text to its verdict on the screen, and from Start Scanner to
 * the camera's first picture, also on slow phones and a bad line.
 */
export default async function bench(): Promise<BenchRow[]> {
  const endSetup = await globalSetup()
  const server = await TestServer.create({ ownProcess: true })
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const rows: BenchRow[] = []
    // These come first: the same guest buys the codes for the scanner, and a page with many tickets is slower.
    for (const kind of KINDS.filter(({ slowed }) => slowed > 1)) rows.push(await guestRow(browser, server, kind))
    for (const kind of KINDS) rows.push(...(await scannerRows(browser, server, kind)))
    return rows
  } finally {
    await browser.close()
    await server.dispose()
    await endSetup()
  }
}

interface Phone {
  browser: Browser
  server: TestServer
  kind: Kind
  role: 'checker' | 'guest'
}

/** A page over the kind's line, signed in; `work` may take its network. */
async function onPhone<T>(
  { browser, server, kind, role }: Phone,
  work: (page: Page, origin: string) => Promise<T>,
): Promise<T> {
  const line = await openLine(server.url, kind.line ?? { roundTripMs: 0 })
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    await restoreSession(page, role, line.url)
    return await work(page, line.url)
  } finally {
    await context.close()
    await line.close()
  }
}

const slowDown = async (page: Page, { slowed }: Kind) =>
  (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowed })

async function scannerRows(browser: Browser, server: TestServer, kind: Kind): Promise<BenchRow[]> {
  const codes = await codesOf(server)
  return onPhone({ browser, server, kind, role: 'checker' }, async (page, origin) => {
    const camera = await fakeCamera(page, { decodes: true, everyMs: FRAME_MS })
    await page.addInitScript(recordTimes)
    await page.goto(`${origin}/dashboard/qrchecker`)
    await workerReady(page)
    await page
      .getByText(/\d+ s ago/)
      .first()
      .waitFor()
    if (kind.line === undefined) await page.context().setOffline(true)
    await slowDown(page, kind)
    const starts: number[] = []
    while (starts.length < (kind.slowed === 1 ? 1 : STARTS)) {
      await page.reload()
      starts.push(await page.evaluate(startCamera))
    }
    await page.waitForTimeout(SETTLED_MS)
    const times: Times[] = []
    for (const code of codes) {
      const from = await page.evaluate(() => {
        window.garbaTimes = { text: 0, shown: 0, by: '' }
        return performance.now()
      })
      await camera.showCode(code)
      const seen = await (
        await page.waitForFunction(() => window.garbaTimes.shown > 0 && window.garbaTimes)
      ).jsonValue()
      if (seen !== false) times.push({ ...seen, read: seen.text - from })
      await camera.showCode(null)
      await page.evaluate(() => document.querySelector<HTMLElement>('[data-look] button')?.click())
      await page.locator('[data-look]').waitFor({ state: 'detached' })
      // The scanner's own pause after a verdict is not part of the next.
      await page.waitForTimeout(SCAN_PAUSE_MS)
    }
    const answered = times.filter(({ by }) => by === 'server').length
    const roundTrip = kind.line?.roundTripMs ?? 0
    const row = rowOf(`From code text to verdict, ${kind.name}`, {
      figures: times.map(({ text, shown }) => shown - text),
      target: roundTrip + 50,
      note: `${answered} of ${times.length} by the server`,
    })
    const reads = rowOf(`From picture to text, ${kind.name}`, {
      figures: times.map(({ read }) => read),
      note: `a picture every ${FRAME_MS} ms; with the time to hold it up`,
    })
    const camerasRow = rowOf(`From Start Scanner to the camera, ${kind.name}`, { figures: starts })
    return kind.slowed === 1 ? [row, reads] : [row, reads, camerasRow]
  })
}

/** From a press on "Show at gate" to the code on the screen. */
async function guestRow(browser: Browser, server: TestServer, kind: Kind): Promise<BenchRow> {
  await (await server.api('guest')).buy(2)
  return onPhone({ browser, server, kind, role: 'guest' }, async (page, origin) => {
    await page.goto(`${origin}/dashboard/guest`)
    await workerReady(page)
    await page.getByText(/^Updated /).waitFor()
    if (kind.line === undefined) await page.context().setOffline(true)
    await slowDown(page, kind)
    const figures: number[] = []
    while (figures.length < STARTS) {
      figures.push(await page.evaluate(showAtGate))
      await page.goBack()
      await page.locator('[aria-label^="QR code"]').first().waitFor({ state: 'detached' })
    }
    return rowOf(`From Show at gate to the code, ${kind.name}`, { figures })
  })
}

/** Codes of tickets that nobody has scanned. */
async function codesOf(server: TestServer): Promise<string[]> {
  const guest = await server.api('guest')
  const codes: string[] = []
  while (codes.length < SCANS) codes.push(...(await guest.buy(4)).map(({ qrCode }) => qrCode))
  return codes.slice(0, SCANS)
}

const quantile = (figures: readonly number[], share: number): number =>
  figures.toSorted((a, b) => a - b)[Math.min(figures.length - 1, Math.ceil(figures.length * share) - 1)] ?? Number.NaN

function rowOf(
  name: string,
  { figures, target, note = '' }: { figures: readonly number[]; target?: number; note?: string },
): BenchRow {
  const p95 = quantile(figures, 0.95)
  return {
    name: `${name}, p95`,
    figure: Math.round(p95),
    unit: 'ms',
    comparedWith: target === undefined ? '' : `target ${target} ms`,
    ratio: target === undefined ? null : p95 / target,
    note: [`p50 ${Math.round(computeMedian(figures))} ms, ${figures.length} times`, note].filter(Boolean).join('; '),
  }
}

interface SeenTimes {
  /** When the decoder's answer arrived, and when the verdict had been painted; 0 before. */
  text: number
  shown: number
  /** Who decided: server or device. */
  by: string
}
interface Times extends SeenTimes {
  /** From holding the code up until its text (ms). */
  read: number
}

declare global {
  interface Window {
    garbaTimes: SeenTimes
  }
}

/** Runs in the page before its own code and must be whole in itself. */
function recordTimes(): void {
  window.garbaTimes = { text: 0, shown: 0, by: '' }
  window.Worker = new Proxy(window.Worker, {
    construct: (worker, given: [URL, WorkerOptions | undefined]) => {
      const made = Reflect.construct(worker, given) as Worker
      if (given[1]?.name === 'decode')
        made.addEventListener(
          'message',
          ({ data }: MessageEvent<{ type: string; decoded?: { text: string } | null }>) => {
            if (data.type === 'read' && data.decoded && window.garbaTimes.text === 0)
              window.garbaTimes.text = performance.now()
          },
        )
      return made
    },
  })
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        if (!(node instanceof HTMLElement) || node.dataset.look === undefined) continue
        const by = node.dataset.by ?? ''
        const channel = new MessageChannel()
        // A message posted in a frame's callback arrives after the frame was painted.
        channel.port1.onmessage = () => {
          window.garbaTimes = { ...window.garbaTimes, shown: performance.now(), by }
        }
        requestAnimationFrame(() => channel.port2.postMessage(null))
      }
  }).observe(document, { childList: true, subtree: true })
}

/** Runs in the page: presses Start Scanner when it is there; ms from then until the camera's first picture. */
const startCamera = () =>
  new Promise<number>((resolve) => {
    let pressed = 0
    const look = () => {
      const video = document.querySelector('video')
      if (pressed > 0 && video?.srcObject)
        return void video.requestVideoFrameCallback(() => resolve(performance.now() - pressed))
      for (const button of document.querySelectorAll('button'))
        if (pressed === 0 && button.textContent?.includes('Start Scanner')) {
          pressed = performance.now()
          button.click()
        }
      requestAnimationFrame(look)
    }
    look()
  })

/** Runs in the page: presses Show at gate; ms from then until a code is painted. */
const showAtGate = () =>
  new Promise<number>((resolve) => {
    const pressed = performance.now()
    for (const button of document.querySelectorAll<HTMLElement>('a, button'))
      if (button.textContent?.startsWith('Show at gate')) {
        button.click()
        break
      }
    const look = () => {
      if (document.querySelector('[aria-label^="QR code"]') === null) return void requestAnimationFrame(look)
      setTimeout(() => resolve(performance.now() - pressed))
    }
    requestAnimationFrame(look)
  })
