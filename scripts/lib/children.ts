import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { nodeBinary, ROOT } from '../setup.mjs'

const END_WITH_PARENT = join(ROOT, 'scripts', 'lib', 'endWithParent.mjs')

export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Child {
  readonly pid: number
  ending(): ProcessEnd | undefined
  readonly ended: Promise<ProcessEnd>
  /** Sends SIGTERM, then SIGKILL if the process has not ended after `patienceMs` (10 s by default). */
  stop(patienceMs?: number): Promise<ProcessEnd>
  kill(signal: NodeJS.Signals): void
}

/**
 * Starts a Node 24 process in its own process group, so that Ctrl-C reaches only this process, which ends its children
 * in order. Each line it prints is passed to `onLine`.
 */
export function startNode(options: {
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  cwd?: string
  onLine: (line: string, from: 'stdout' | 'stderr') => void
}): Child {
  const child = spawn(nodeBinary(), ['--import', END_WITH_PARENT, ...options.args], {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  })
  for (const from of ['stdout', 'stderr'] as const) {
    createInterface({ input: child[from] }).on('line', (line) => options.onLine(line, from))
  }
  return watched(child)
}

function watched(child: ChildProcess): Child {
  let ending: ProcessEnd | undefined
  const ended = new Promise<ProcessEnd>((resolve) => {
    const end = (how: ProcessEnd) => {
      ending = how
      resolve(how)
    }
    child.once('close', (code, signal) => end({ code, signal }))
    child.once('error', () => end({ code: 1, signal: null }))
  })
  return {
    pid: child.pid ?? -1,
    ending: () => ending,
    ended,
    kill: (signal) => child.kill(signal),
    stop: async (patienceMs = 10_000) => {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
      const how = await ended
      clearTimeout(timer)
      return how
    },
  }
}

export async function runProgram(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'>,
): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (piece) => {
      output += piece
    })
  const { code } = await watched(child).ended
  return { code: code ?? 1, output }
}

/** Whether another program listens there. The server itself reports other reasons why it cannot use an address. */
export function isTaken({ port, host }: { port: number; host: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE'))
    probe.listen(port, host, () => probe.close(() => resolve(false)))
  })
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  const port = await listenOn(probe, 0)
  await new Promise((resolve) => probe.close(resolve))
  return port
}

export async function listenOn(server: Server, port: number): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** Resolves to true once the URL answers 2xx, or to false when `until` returns true. */
export async function waitForAnswer(url: string, until: () => boolean): Promise<boolean> {
  while (!until()) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    await response?.arrayBuffer().catch(() => undefined)
    if (response?.ok) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}
