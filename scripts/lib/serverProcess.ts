import { chmodSync, closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ifPossible } from '../../server/src/errorCode.ts'
import { ROOT, SERVER_FLAGS } from '../setup.mjs'
import { type Child, startNode, waitForAnswer } from './children.ts'

const MAIN = join(ROOT, 'server', 'src', 'main.ts')
/** pino's level for warnings, which also go to the terminal. */
const WARNING = 40

export interface ServerProcess {
  readonly child: Child
  /** The address at which it answers; null if the process ends first, after printing why. */
  readonly url: Promise<string | null>
}

export function startServer(options: {
  logFile: string
  env: Readonly<Record<string, string>>
  nodeOptions?: readonly string[]
}): ServerProcess {
  const log = openRotatingLog(options.logFile)
  const ready = Promise.withResolvers<string | null>()
  const child = startNode({
    args: [...SERVER_FLAGS, ...(options.nodeOptions ?? []), MAIN],
    env: options.env,
    onLine: (line, from) => {
      log.write(line)
      const url = /^Ready: (http\S+)/.exec(line)?.[1]
      if (url) ready.resolve(url)
      else if (from === 'stderr' || parseLogLevel(line) >= WARNING) console.error(line)
    },
  })
  void child.ended.then(() => {
    log.close()
    ready.resolve(null)
  })
  const url = ready.promise.then(async (url) =>
    url !== null && (await waitForAnswer(`${url}/healthz`, () => child.ending() !== undefined)) ? url : null,
  )
  return { child, url }
}

function parseLogLevel(line: string): number {
  const level = /^\{"level":(\d+)/.exec(line)?.[1]
  return level === undefined ? 0 : Number(level)
}

const MAX_BYTES = 10_000_000
const KEPT = 3

export interface RotatingLog {
  write: (line: string) => void
  close: () => void
}

/** A log file that is rotated when full; the oldest is deleted. Readable only by its owner. */
export function openRotatingLog(file: string, maxBytes = MAX_BYTES): RotatingLog {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const open = () => {
    const handle = openSync(file, 'a', 0o600)
    chmodSync(file, 0o600)
    return { handle, bytes: fstatSync(handle).size }
  }
  let current = open()
  let closed = false
  const putAside = () => {
    if (existsSync(file)) {
      for (let number = KEPT - 1; number >= 1; number -= 1)
        if (existsSync(`${file}.${number}`)) renameSync(`${file}.${number}`, `${file}.${number + 1}`)
      renameSync(file, `${file}.1`)
    }
    const { handle } = current
    current = open()
    closeSync(handle)
  }
  return {
    // A full disk must not end the server that the log is about.
    write: (line) => {
      if (closed) return
      const bytes = Buffer.byteLength(line) + 1
      if (current.bytes > 0 && current.bytes + bytes > maxBytes) ifPossible(putAside)
      ifPossible(() => {
        current.bytes += writeSync(current.handle, `${line}\n`)
      })
    },
    close: () => {
      if (!closed) closeSync(current.handle)
      closed = true
    },
  }
}
