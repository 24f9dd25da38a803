import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { runOnConnection } from '../../src/store/postgres/connection.ts'
import { startWire } from '../../src/testing/wire.ts'

interface Far {
  url: string
  delayMs: number
}

const ASKED = 50

/** Puts a database this far away, by a thread that passes everything on and holds answers back. */
export async function atDistance(far: Far): Promise<{ url: string; roundTripMs: number; stop: () => Promise<number> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: far })
  const url = await new Promise<string>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  return { url, roundTripMs: await roundTrip(url), stop: () => worker.terminate() }
}

/** The median of single statements. */
const roundTrip = (url: string): Promise<number> =>
  runOnConnection({ connectionString: url }, async (client) => {
    const times: number[] = []
    while (times.length < ASKED) {
      const from = performance.now()
      await client.query('select 1')
      times.push(performance.now() - from)
    }
    return times.sort((a, b) => a - b)[ASKED / 2] ?? Number.NaN
  })

if (!isMainThread) {
  const { url, delayMs } = workerData as Far
  parentPort?.postMessage((await startWire(url, { delayMs })).url)
}
