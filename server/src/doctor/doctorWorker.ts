import { parentPort, workerData } from 'node:worker_threads'
import type { Settings } from '../config.ts'
import { runDoctor } from './runDoctor.ts'

// It runs in a worker, because a check of the whole file takes a while and sales must not wait.
parentPort?.postMessage(await runDoctor(workerData as Settings))
