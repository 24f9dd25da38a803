import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Runs a file as a thread of its own with `given` as its workerData. Resolves with its first message. Rejects with what it threw. */
export async function inWorker<T>(file: URL, given: unknown): Promise<T> {
  const worker = new Worker(file, { workerData: given })
  try {
    const [message] = (await once(worker, 'message')) as [T]
    return message
  } finally {
    await worker.terminate()
  }
}
