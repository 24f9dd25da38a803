import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export async function inWorker<T>(file: URL, given: unknown): Promise<T> {
  const worker = new Worker(file, { workerData: given })
  try {
    const [message] = (await once(worker, 'message')) as [T]
    return message
  } finally {
    await worker.terminate()
  }
}
