import { chmodSync, closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const MAX_BYTES = 10_000_000
/** This many full logs are kept, as `server.log.1` (the newest) and so on. */
const KEPT = 3

export interface RotatingLog {
  write: (line: string) => void
  close: () => void
}

/** A log file that is rotated when full, deleting the oldest one. Readable only by its owner. */
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
    closeSync(current.handle)
    for (let number = KEPT - 1; number >= 1; number -= 1)
      if (existsSync(`${file}.${number}`)) renameSync(`${file}.${number}`, `${file}.${number + 1}`)
    renameSync(file, `${file}.1`)
    current = open()
  }
  return {
    write: (line) => {
      if (closed) return
      const bytes = Buffer.byteLength(line) + 1
      if (current.bytes > 0 && current.bytes + bytes > maxBytes) putAside()
      current.bytes += writeSync(current.handle, `${line}\n`)
    },
    close: () => {
      if (!closed) closeSync(current.handle)
      closed = true
    },
  }
}
