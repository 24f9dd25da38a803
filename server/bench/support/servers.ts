import { execFileSync, fork } from 'node:child_process'
import { join } from 'node:path'
import { ROOT, SERVER_FLAGS } from '../../../scripts/setup.mjs'

export interface TellParent {
  port: number
  /** The buyers'. */
  tokens: string[]
  checkerToken: string
}

export interface BenchServer extends TellParent {
  pid: number
  stop(): Promise<void>
}

/** Keeps a process, its threads and what it starts from now on on one core (Linux). */
export const pinTo = (core: number, pid: number): void =>
  void execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)], { stdio: 'ignore' })

/** Starts a server for measuring in its own process, so that it has its own core. Its log is discarded. */
export function startBenchServer(
  file: 'realServer.ts' | 'floorServer.ts',
  args: string[] = [],
  root = ROOT,
): Promise<BenchServer> {
  const child = fork(join(root, 'server/bench/support', file), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    cwd: root,
    // An earlier checkout ran without them.
    execArgv: root === ROOT ? [...SERVER_FLAGS] : [],
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${file} ended with exit code ${code}`)))
    child.once('message', (message) => {
      const stop = () =>
        new Promise<void>((done) => {
          child.once('exit', () => done())
          child.disconnect()
        })
      resolve({ ...(message as TellParent), pid: child.pid ?? Number.NaN, stop })
    })
  })
}
