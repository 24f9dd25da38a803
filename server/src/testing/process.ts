import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface ServerRun {
  child: ChildProcess
  url: string
  stdout: () => string
  stderr: () => string
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'garba-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs main.ts, or another main module, in its own process until the test ends. Resolves when it is ready or has ended. */
export async function runServer(
  environment: Record<string, string> = {},
  whenOver: (undo: () => Promise<void>) => void = onTestFinished,
  main = MAIN,
): Promise<ServerRun> {
  const { PATH = '', NODE_OPTIONS = '' } = process.env
  const env = { PATH, NODE_OPTIONS, PORT: '0', LOG_LEVEL: 'info', ...environment }
  const child = spawn(process.execPath, [main], { env, cwd: tmpdir() })
  let out = ''
  let err = ''
  const ready = Promise.withResolvers<string>()
  child.stdout.on('data', (data) => {
    out += data
    const url = /^Ready: (\S+)$/m.exec(out)?.[1]
    if (url) ready.resolve(url)
  })
  child.stderr.on('data', (data) => {
    err += data
  })
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal })),
  )
  whenOver(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const url = await Promise.race([ready.promise, ended.then(() => '')])
  return { child, url, stdout: () => out, stderr: () => err, ended }
}
