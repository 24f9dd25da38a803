import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface TellParent {
  port: number
  /** Of a hundred buyers. */
  tokens: string[]
  checkerToken: string
}

export interface BenchServer extends TellParent {
  stop(): Promise<void>
}

/** Starts a server to be measured as a process of its own, so that it has a core to itself; its log goes nowhere. */
export function startBenchServer(file: 'realServer.ts' | 'floorServer.ts', args: string[] = []): Promise<BenchServer> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
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
      resolve({ ...(message as TellParent), stop })
    })
  })
}
