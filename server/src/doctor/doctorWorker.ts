import { parentPort, workerData } from 'node:worker_threads'
import type { Settings } from '../config.ts'
import { runDoctor } from './runDoctor.ts'

// The doctor runs in a worker, because it checks the whole file and sales must not wait for that.
parentPort?.postMessage(await runDoctor(workerData as Settings))
