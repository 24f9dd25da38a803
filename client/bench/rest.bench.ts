import { HOUR_MS } from '@garba/shared/constants'
import { type Browser, chromium } from '@playwright/test'
import { type BenchRow, computeRatio } from '../../scripts/lib/benchRow.ts'
import { findChromium } from '../../scripts/lib/chromium.ts'
import { Gate } from '../e2e/support/gate.ts'
import globalSetup from '../e2e/support/globalSetup.ts'
import { TestServer } from '../e2e/support/server.ts'

/** How long each state is measured, and from one camera picture to the next (ms). */
const [MEASURED_MS, FRAME_MS] = [30_000, 33]

interface ProcessInfo {
  /** Processor time in seconds. */
  cpuTime: number
}

async function processorSeconds(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as { processInfo: ProcessInfo[] }
  await session.detach()
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

/** The scanner before an empty gate, with its own decoder: an hour awake and an hour at rest. */
export default async function restBench(): Promise<BenchRow[]> {
  const endSetup = await globalSetup()
  const server = await TestServer.create({ ownProcess: true })
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const context = await browser.newContext({ baseURL: server.url, viewport: { width: 412, height: 823 } })
    const page = await context.newPage()
    await page.addInitScript(() => {
      window.garbaLooks = 0
      Worker.prototype.postMessage = new Proxy(Worker.prototype.postMessage, {
        apply: (send, worker, given) => {
          if (given[0]?.type === 'read') window.garbaLooks += 1
          return Reflect.apply(send, worker, given)
        },
      })
    })
    const gate = await Gate.open(page, { decodes: true, everyMs: FRAME_MS })
    await gate.start()
    const measured = async () => {
      await page.waitForTimeout(5_000)
      const [from, looks, seconds] = [performance.now(), await gate.looks(), await processorSeconds(browser)]
      await page.waitForTimeout(MEASURED_MS)
      const hours = (performance.now() - from) / HOUR_MS
      return {
        frames: ((await gate.looks()) - looks) / hours,
        minutes: ((await processorSeconds(browser)) - seconds) / 60 / hours,
      }
    }
    const awake = await measured()
    const resting = page.getByText('Resting: tap, or hold up a code')
    while (!(await resting.isVisible())) {
      await page.clock.fastForward(2_000)
      await page.waitForTimeout(300)
    }
    const atRest = await measured()
    const rowOf = (name: string, key: keyof typeof awake, unit: string): BenchRow => ({
      name: `rest: ${name} in a quiet hour at rest`,
      figure: Math.round(atRest[key]),
      unit,
      comparedWith: `awake ${Math.round(awake[key])}`,
      ratio: computeRatio(atRest[key], awake[key]),
      note: '',
    })
    return [rowOf('frames read', 'frames', ''), rowOf('processor time of the whole browser', 'minutes', 'min')]
  } finally {
    await browser.close()
    await server.dispose()
    await endSetup()
  }
}
