import { changeEvent } from '../support/event.ts'
import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { storeCounts } from '../support/scannerStore.ts'

const SCANS = 120
/** Each round begins without a network, and ends with one. */
const ROUND = 15
const OFFLINE = 13
/** By then what is made once has been made, and compiled. */
const FIRST_LOOK = 5 * ROUND
/** Past the second in which nothing is read again. */
const STEP_MS = 1_050
/** What each scan may leave behind in the page, the changed list and the test's own notes included; more is a leak. */
const GROWTH_MAX_BYTES = 6_000

/** 900 scans are made in tests/scanner/day.test.ts, without a page. */
test.use({ viewport: { width: 360, height: 640 } })

async function sellOut(server: TestServer): Promise<{ qrCode: string }[]> {
  await changeEvent(await server.api('admin'), { totalTickets: SCANS })
  const guest = await server.api('guest')
  const tickets: { qrCode: string }[] = []
  while (tickets.length < SCANS) tickets.push(...(await guest.buy(ROUND)))
  return tickets
}

/** Holds a code up until its verdict is there, taps it away, and waits for the tile that counts the scan. */
const scanInPage = (page: Page, scan: { text: string; nth: number }): Promise<string | undefined> =>
  page.evaluate(async ({ text, nth }) => {
    const waitForChange = (is: () => boolean) =>
      new Promise<void>((resolve) => {
        if (is()) return resolve()
        const observer = new MutationObserver(() => {
          if (!is()) return
          observer.disconnect()
          resolve()
        })
        observer.observe(document.body, { childList: true, subtree: true, characterData: true })
      })
    const verdict = () => document.querySelector<HTMLElement>('[data-look]')
    const counted = () => Number(document.querySelector('dl dd')?.textContent?.replaceAll(',', ''))
    window.garbaReads(text)
    await waitForChange(() => verdict() !== null)
    window.garbaReads(null)
    const look = verdict()?.dataset.look
    verdict()?.querySelector('button')?.click()
    await waitForChange(() => counted() === nth && verdict() === null)
    window.garbaVerdicts.length = 0
    return look
  }, scan)

/** What the page holds once nothing is left to be collected. */
async function held(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.collectGarbage')
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters')
  await devtools.detach()
  return { bytes: usedSize, nodes, listeners: jsEventListeners }
}

/** Everything is sent, and the server's list includes the admissions that the device kept beside it. */
async function expectAllSent(gate: Gate) {
  const passes = async () => {
    await gate.page.clock.fastForward(5_000)
    return { ...(await storeCounts(gate.page)), said: await gate.status.textContent() }
  }
  await expect
    .poll(passes, { timeout: 60_000, intervals: [100] })
    .toMatchObject({ outbox: 0, admitted: 0, said: expect.stringContaining('All sent') })
}

test('scan after scan in one page life: 120 of them leave the history, the journal, the list and nothing else', async ({
  server,
  page,
}) => {
  test.setTimeout(300_000)
  const tickets = await sellOut(server)
  // The evening's hours pass in the page as timers and clock tell them; behind the server's time, so that no token ends.
  await page.clock.install({ time: Date.now() - 2 * SCANS * STEP_MS })
  await cutBefore(page, /scanner\/live/)
  const gate = await Gate.open(page)
  await gate.start()
  const looks = new Map<string | undefined, number>()
  const looked: Awaited<ReturnType<typeof held>>[] = []
  let cut = await cutBefore(page, EVERYTHING)
  for (const [index, { qrCode }] of tickets.entries()) {
    const nth = index + 1
    const look = await scanInPage(page, { text: qrCode, nth })
    looks.set(look, (looks.get(look) ?? 0) + 1)
    await page.clock.fastForward(STEP_MS)
    if (nth % ROUND === OFFLINE) {
      await gate.says(`${OFFLINE} unsent`)
      await cut.end()
      await expectAllSent(gate)
    }
    if (nth % ROUND !== 0) continue
    await expectAllSent(gate)
    if (nth >= FIRST_LOOK) looked.push(await held(page))
    cut = await cutBefore(page, EVERYTHING)
  }
  expect(looks.get('refused')).toBeUndefined()
  expect(looks.get('pending')).toBeGreaterThanOrEqual((SCANS / ROUND) * OFFLINE)
  expect(await storeCounts(page)).toEqual({
    qr_scan_history: 50,
    outbox: 0,
    journal: SCANS,
    roster: SCANS,
    meta: 2,
    conflicts: 0,
    admitted: 0,
    tally: 1,
    pairing: 0,
    blocks: 0,
    sales: 0,
  })
  // A leak grows in every round; what the engine compiles, or a toast that still stands, comes now and then.
  const growth = (of: (one: (typeof looked)[number]) => number) =>
    Math.min(...looked.slice(1).map((one, nth) => of(one) - of(looked[nth] ?? one)))
  expect(looked).toHaveLength(4)
  expect(growth(({ bytes }) => bytes) / ROUND).toBeLessThan(GROWTH_MAX_BYTES)
  expect(growth(({ nodes }) => nodes)).toBeLessThan(ROUND)
  expect(growth(({ listeners }) => listeners)).toBeLessThan(ROUND)
  expect(server.rows('select outcome, count(*) as n from scans group by outcome')).toEqual([
    { outcome: 'admitted', n: SCANS },
  ])
  expect(server.rows('select count(*) as n from conflicts')).toEqual([{ n: 0 }])
})
