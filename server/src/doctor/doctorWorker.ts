import { parentPort, workerData } from 'node:worker_threads'
import type { Settings } from '../config.ts'
import { runDoctor } from './runDoctor.ts'

// Away from the thread that sells: a check of the whole file takes a while.
parentPort?.postMessage(await runDoctor(workerData as Settings))
